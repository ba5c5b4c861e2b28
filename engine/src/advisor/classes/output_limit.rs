//! Output limit: more output was asked for than the model may give.

use super::super::class::Signal::{Code, Says};
use super::super::class::{Class, Consequence, Rule};

pub(super) const CLASS: Class = Class {
    id: "output_limit",
    consequence: Consequence::Fatal,
    says: "the request asked for more output tokens than the model allows",
    advice: "This is a setting, not the length of the conversation: repeating or compacting does not help. \
             Tell the user to lower the model's maximum output tokens (`maxTokens`) in the configuration.",
    advice_switched: "The setting belonged to the earlier model; continue.",
    note_says_retry: false,
    rules: &[
        Rule::new(
            "output_limit.max-tokens",
            "Anthropic, OpenAI, Mistral, DeepSeek, DashScope, Bedrock",
            &[
                Says(r"max(?:imum)?[_ ]?(?:completion_?|output_?|new_|completion |output |new )?tokens`?'?\W[ -~]{0,80}(?:too large|too high|maximum allowed number of output tokens|supports at most|must be (?:less|<|at most|between|in|no more|smaller|greater)|(?:cannot|can't|must not|may not) (?:be (?:greater|larger|more)|exceed)|above (?:the )?(?:limit|max)|less than or equal|exceed(?:s|ed)?|out of range|below (?:the )?minimum|expected a value|invalid|supported range|\[1, ?[0-9]+\])"),
                Says(r"supports at most [0-9]+ (?:completion|output) tokens|maximum allowed number of output tokens|(?:range of|valid range of) max_tokens|max(?:imum)? (?:output|completion) tokens[ -~]{0,40}(?:exceed|greater|above|at most)|(?:exceeds?|above|over|greater than) the (?:model'?s? )?(?:max(?:imum)? )?output (?:token )?limit"),
                Says(r"max_tokens must be greater than [`' ]*thinking|output token limit (?:is |was )?exceeded"),
                Says(r"max_(?:completion_|output_|new_)?tokens[^\n]{0,12}(?:参数|超|非法|无效|范围)|最大输出(?:长度|限制| ?token)"),
                Code("max_tokens_exceeded"),
            ],
            &[
                r#"400 {"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens for m"}}"#,
                "400 max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.",
                r#"{"error":{"message":"Invalid max_tokens value, the valid range of max_tokens is [1, 8192]","type":"invalid_request_error"}}"#,
                "Range of max_tokens should be [1, 65536]",
            ],
        )
        .unless(&[Says(
            r"context (?:length|window|limit|size)|input (?:length|tokens)|prompt (?:contains|has|tokens)|input_tokens|prompt is too long|inputs?`? tokens|\(prompt|prompt ?\+|prompt length|上下文|输入|\binput (?:is|has|was) [0-9]",
        )]),
    ],
    kinds: &[],
    statuses: &[],
};
