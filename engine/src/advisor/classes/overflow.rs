//! Overflow: the conversation does not fit the model's context window, or the request's size limit.

use super::super::class::Signal::{Code, Provider, Says, Status};
use super::super::class::{Class, Consequence, Rule};

pub(super) const CLASS: Class = Class {
    id: "overflow",
    consequence: Consequence::Overflow,
    says: "the conversation is longer than the model accepts",
    advice: "The same request cannot succeed. Keep the next answer short, read files in small parts, \
             and suggest `/compact` or a model with a larger context to the user.",
    advice_switched: "The limit was the earlier model's and may not apply now; still, keep answers short and read files in small parts.",
    note_says_retry: false,
    rules: &[
        Rule::new(
            "overflow.code",
            "OpenAI, llama.cpp, z.ai, Copilot, LiteLLM and generic spellings",
            &[
                Code("context_length_exceeded"),
                Code("context_window_exceeded"),
                Code("context_overflow"),
                Code("exceed_context_size_error"),
                Code("model_context_window_exceeded"),
                Code("model_max_prompt_tokens_exceeded"),
                Code("contextwindowexceedederror"),
                Code("contextoverflowerror"),
                Code("context_too_large"),
                Code("context_limit_exceeded"),
                Code("prompt_too_long"),
                Code("input_too_long"),
                Code("request_too_large"),
                Code("oversizeinput"),
                Code("context_length_error"),
                Code("context_window_overflow"),
                Code("tokens_limit_reached"),
                Code("exceeded_model_token_limit"),
                Code("token_limit_exceeded"),
                Code("max_context_length_exceeded"),
                Code("1261"),
            ],
            &[
                "400 context_overflow",
                "Unhandled stop reason: model_context_window_exceeded",
                r#"{"error":{"message":"You passed too much","type":"invalid_request_error","param":null,"code":"context_length_exceeded"}}"#,
                r#"413 {"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#,
                r#"{"code":"1261","message":"Prompt exceeds max length"}"#,
            ],
        ),
        Rule::new(
            "overflow.long-text",
            "OpenAI: one text of the request is longer than any context; a short limit is one on a name or an id",
            &[Code("string_above_max_length")],
            &[
                r#"400 {"error":{"message":"Invalid 'input': string too long. Expected a string with maximum length 10485760.","code":"string_above_max_length"}}"#,
            ],
        )
        .unless(&[Says(r"maximum length [0-9]{1,5}(?:[^0-9]|$)")]),
        Rule::new(
            "overflow.context-words",
            "every provider that names the context: OpenAI, vLLM, llama.cpp, LM Studio, MiniMax, Mistral, DS4",
            &[
                Says(
                    r"\b(?:exceed(?:s|ed|ing)?|overflow(?:s|ed)?|over|larger than|longer than|greater than|beyond|more than|surpass(?:es|ed)?|too (?:large|long|big) for|does not fit|doesn't fit|outside)\b[ -~]{0,60}\bcontext(?:[ _-](?:window|length|size|limit)|\b)",
                ),
                Says(
                    r"\b(?:max(?:imum)?|available|configured|total)[_ ](?:\w+ )?context(?:[_ ](?:window|length|size|limit))?[ -~]{0,60}(?:exceed|is [0-9]|of [0-9]|\([0-9]|but |, however|requested)",
                ),
                Says(
                    r"context(?:[ _-](?:window|length|size|limit))[ -~]{0,50}(?:exceed|overflow|too (?:large|long|small)|is full|reached|ran out|run out|insufficient|is only|is [0-9][0-9,]* tokens)",
                ),
                Says(
                    r"context overflow|\bcontext (?:is )?too (?:long|large|big)\b|> ?n_ctx|max(?:imum)?[_ ](?:prompt|input|context)[_ ]tokens? (?:is|was|of|exceeded)|max(?:imum)? (?:sequence|model) length|(?:ran|run|is|are|be) out of (?:room|space)[ -~]{0,30}context|exceeded? max(?:imum)? context|too large for model with [0-9]+ maximum context|上下文(?:长度|窗口)?[^\n]{0,12}(?:超|过长|限制)|超[出过][^\n]{0,12}上下文",
                ),
                Says(
                    r"(?:no longer|not|n't|cannot) fits?\b[ -~]{0,40}\bcontext|\bkv slot\b|> ?context[_ ](?:window|length|limit|size)|max_model_len|コンテキスト[^\n]{0,12}超|超[^\n]{0,6}コンテキスト|컨텍스트[^\n]{0,16}초과",
                ),
            ],
            &[
                "Your input exceeds the model's context window",
                "the request exceeds the available context size, try increasing it",
                "400 This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens",
                "tokens to keep from the initial prompt is greater than the context length",
                r#"400 {"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or `max_tokens` and try again"}}"#,
                "invalid params, context window exceeds limit (2013)",
                "Prompt has 9 tokens, but the configured context size is 8 tokens",
            ],
        )
        // In Go, a context is what carries a deadline.
        .unless(&[Says(r"context (?:deadline|cancell?ed)")]),
        Rule::new(
            "overflow.input-words",
            "Anthropic, Bedrock, Google, xAI, Groq, Together, Copilot, Kimi, Cohere, DashScope, z.ai 1210",
            &[
                Says(
                    r"(?:prompt|input|request|message|messages|conversation|text|query|total tokens?)\b[ -~]{0,30}\b(?:is|are|was|were) (?:too (?:long|large|big)|longer than)|(?:prompt|input|messages?|conversation|history) too (?:long|large)|input length[ -~]{0,40}exceed",
                ),
                Says(
                    r"(?:input|prompt)[ -~]{0,40}exceed(?:s|ed)?[ -~]{0,30}(?:max(?:imum)?|limit|length)|prompt exceeds|(?:number of )?(?:input|prompt|total|requested) tokens?[ -~]{0,40}(?:exceed(?:s|ed)?|(?:is |are )?(?:larger|greater|more) than)|tokens in request more than max tokens",
                ),
                Says(
                    r"(?:token (?:count|limit)|total tokens|token_count)[ -~]{0,40}exceed|exceed(?:s|ed)? (?:the )?(?:model'?s? |model )?(?:max(?:imum)? )?(?:token limit|number of tokens|max(?:imum)? of [0-9]+|input (?:length|tokens?|size)|prompt (?:length|tokens?)|tokens? allowed|allowed input)|exceed(?:s|ed)? (?:the )?limit of [0-9]",
                ),
                Says(
                    r"(?:maximum|max) (?:allowed )?(?:prompt|input) (?:length|tokens?|token count|size)[ -~]{0,20}(?:is|of|:|exceeded|limit)|max(?:imum)? input (?:token|character)|token length exceed|inputs?`? tokens \+ |range of input length|reduce the (?:length|size) of (?:the |your )?(?:messages|prompt|input|conversation)|please (?:shorten|reduce) (?:your |the )?(?:prompt|input|messages|conversation)",
                ),
                Says(
                    r"(?:length of )?\b(?:inputs?|prompts?|messages?|prompt_tokens|input_tokens|(?:prompt|input) tokens?)\b[ -~]{0,20} must (?:be|have) (?:less|fewer|shorter|no more|at most|under)[ -~]{0,30}(?:tokens|max_seq_len|[0-9]{4})|(?:prompt|input|request|conversation) (?:has|is|contains|of) [0-9][0-9,]* tokens\b[ -~]{0,40}(?:at most|more than|max|limit|only|allow|exceed|but )",
                ),
                Says(
                    r"(?:token count|tokens|length)(?: is| of|:)? [0-9][0-9,]*[ -~]{0,24}(?:only )?supports? (?:only )?up to|reduce the (?:input |prompt )?token count|(?:input|prompt|context)_(?:tokens?|length)_(?:limit_)?exceeded|\btoken limit (?:is |was |has been )?reached|supports? (?:only |at most |up to )+[0-9][0-9,]* tokens|\b(?:conversation|history|chat|session|transcript)\b[ -~]{0,20} exceeds?\b[ -~]{0,30}(?:max(?:imum)?|limit|length|budget|allowed)|\bn_ctx\b",
                ),
                Says(
                    r"too many (?:input |prompt |total )?tokens|tokens?,? (?:is |are )?(?:larger|longer) than the model|string too long[ -~]{0,60}maximum length [0-9]{6}|input is longer than|(?:token|tokens) ?(?:数|数量)?[^\n]{0,8}超[^时]",
                ),
                Says(
                    r"(?:输入|提示词?|对话|会话|内容|消息|文本|历史|请求|prompt)(?:长度|内容|总长)?[^\n]{0,10}(?:过长|太长|超长|超[出过][^\n]{0,12}(?:长度|最大|上限|限制|token))|入力が長すぎ|トークン数[^\n]{0,20}超|토큰[^\n]{0,16}초과",
                ),
                Says(
                    r"max_tokens must be at least 1, got -|(?:input|prompt|messages?)[ -~]{0,20} at most [0-9][0-9,]* tokens|\btokens? limit (?:is |was |has been )?exceeded|input is oversized|(?:messages?|request|conversation|text) (?:length|tokens?)[ -~]{0,20}exceed|expected maxlength: [0-9]{5}",
                ),
            ],
            &[
                "prompt is too long: 213462 tokens > 200000 maximum",
                "ValidationException: The input is too long",
                "ValidationException: Input exceeds the max input token limit",
                "total tokens exceeds the model's max of 4096",
                "Your request exceeded model token limit: 9 (requested: 10)",
                "tokens in request more than max tokens allowed",
                "prompt token count of 9 exceeds the limit of 8",
                "Range of input length should be [1, 98304]",
                "too many tokens",
            ],
        )
        .unless(&[Says(r"\b(?:name|id|ids|user|metadata|title|description)\b['`\x22]? ?(?:is |are )?(?:too long|exceed)|string too long[^0-9]{0,80}maximum length [0-9]{1,5}(?:[^0-9]|$)|\b(?:tools|functions|images|stop sequences)\b[ -~]{0,20}exceed|number of (?:tools|functions|images|files)|\b(?:line|offset|index|page) [0-9]+ exceed|output token")]),
        Rule::new(
            "overflow.size",
            "request bodies over a gateway's limit",
            &[
                Says(
                    r"(?:request|payload|body|content)(?: entity| body| size| length)?[ _](?:is )?too[ _]large|request exceeds the maximum (?:allowed )?(?:size|number of bytes)|entity too large|(?:request|body|payload)(?: (?:entity|body|payload|content))?(?: size| length)? (?:of [0-9]+ ?[a-z]{0,6} )?exceed(?:s|ed)?[ -~]{0,30}(?:bytes|size|limit)",
                ),
                Status(413),
            ],
            &[
                "413 Payload Too Large",
                r#"github-copilot API error (413): {"message":"failed to parse request","code":""}"#,
                "Request Entity Too Large",
            ],
        ),
        Rule::new(
            "overflow.cerebras-silent",
            "Cerebras answers an overflow with a status and nothing else",
            &[Says(r"^\W*(?:400|413)(?: status code)? \(no body\)")],
            &[],
        )
        .all(&[Provider("cerebras")]),
    ],
    kinds: &[],
    statuses: &[],
};
