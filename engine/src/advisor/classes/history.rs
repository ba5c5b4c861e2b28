//! History: the provider rejects the shape of a message that is already in the conversation.

use super::super::class::Signal::{Code, Says};
use super::super::class::{Class, Consequence, Rule};

pub(super) const CLASS: Class = Class {
    id: "history",
    consequence: Consequence::Fatal,
    says: "the provider rejects part of the conversation's history",
    advice: "Part of the history is rejected, so every further request with it fails the same way: do not retry. \
             Tell the user; `/compact`, going back before the rejected message, or a new session removes it.",
    advice_switched: "The history was rejected by the earlier provider and may suit this one; if it fails again, tell the user.",
    note_says_retry: false,
    rules: &[
        Rule::new(
            "history.tool-pairs",
            "Anthropic, OpenAI, Mistral, Bedrock, Gemini: calls and results that do not belong together",
            &[
                Says(
                    r"tool_use[ -~]{0,60}tool_result|tool_result[ -~]{0,80}(?:tool_use|corresponding|unexpected|previous message)|unexpected `?tool_(?:use_id|result)|(?:tooluse|toolresult) (?:blocks?|content)|toolconfig field must be defined|number of toolresult",
                ),
                Says(
                    r"tool_calls?`?'?[ -~]{0,60}(?:must be followed|preceding|did not have response|without|not found|missing)|messages? with role `?'?\W?tool|tool role[ -~]{0,40}(?:previous|no |must|without)|tool_calls? (?:is|are) not allowed|both content and tool_calls|duplicate[ -~]{0,30}tool_call|`?tool_use`? ids must be|duplicate item|item with id[ -~]{0,80}not found|previous response[ -~]{0,80}not found|tool call result does not follow|final block[ -~]{0,40}thinking|tool_call_ids?\b[ -~]{0,60}(?:not found|did not|invalid|missing|duplicate|too long|maximum length)|no tool (?:output|call) found|function (?:call|response)[ -~]{0,40}(?:parts?|turn|immediately|equal)|not the same number of function calls|tool use concurrency|tool (?:call|result|message)s?[ -~]{0,40}(?:mismatch|not found|missing|must (?:be|follow)|without|duplicate)",
                ),
                Says(
                    r"(?:function|tool)(?:[ _]call(?:ing)?)?[ ._'`]*(?:name|names)[ -~]{0,40}(?:invalid|must (?:start|match|be)|does not match|too long|empty|pattern)|invalid (?:function|tool) name|invalid '?(?:messages|input|tools)\[?[0-9]*\]?[ -~]{0,60}(?:name|id|arguments|call_id)|parse (?:tool call|function) arguments|call_id[ -~]{0,40}(?:too long|maximum length|invalid)|(?:name|names|id|ids|arguments)'?[ -~]{0,12}(?:empty string|is too long|exceeds)",
                ),
            ],
            &[
                r#"API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"messages.208: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_x."}}"#,
                "Error code: 400 - {'error': {'message': 'function name is invalid, must start with a letter', 'type': 'invalid_request_error'}}",
                r#"Bedrock HTTP 400: {"message":"The toolConfig field must be defined when using toolUse and toolResult content blocks."}"#,
                "400 An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
                "400 No tool output found for function call call_x.",
            ],
        )
        .unless(&[Says("tool names must be unique")]),
        Rule::new(
            "history.thinking",
            "Anthropic, DeepSeek, Kimi, Gemini 3, OpenAI responses: reasoning that must come back unchanged",
            &[
                Says(
                    r"(?:thinking|redacted_thinking)`?\b[ -~]{0,60}(?:cannot be modified|must (?:be|start|remain)|expected|signature|blocks?)|expected `?(?:thinking|redacted_thinking)|invalid[ -~]{0,10}signature|signature[ -~]{0,40}(?:invalid|missing|required|expired|field)|thought[_ ]signature",
                ),
                Says(
                    r"missing[ -~]{0,12}reasoning_content|reasoning_content[ -~]{0,60}(?:missing|must|required|back|not)|item '?\W?(?:rs|fc|msg)_[ -~]{0,60}(?:without|not found|required)|encrypted[_ ]content[ -~]{0,40}(?:invalid|could not|verif)|of type '?\W?reasoning",
                ),
                Code("invalid_encrypted_content"),
            ],
            &[
                "400 messages.3.content.9: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
                "400 Function call is missing a thought_signature in functionCall parts.",
                "400 The reasoning_content in the thinking mode must be passed back to the API.",
            ],
        )
        .unless(&[Says(r"budget_tokens|enable_thinking|thinking\.(?:type|budget)")]),
        Rule::new(
            "history.turns",
            "Anthropic, Mistral, Gemini, vLLM chat templates: roles, order and empty messages",
            &[
                Says(
                    r"roles? (?:must|should) (?:alternate|be alternating)|roles? (?:are|is|was) (?:not |in)valid|(?:unexpected|invalid|unsupported|unknown) (?:message )?role|(?:must|should) (?:end|start|begin) with (?:a |an |the )?(?:user|assistant|system)|expected last role|prefill|conversation roles|value is not callable|\(chat template\)|jinja[ -~]{0,40}(?:error|exception)|error rendering (?:the )?(?:prompt|template)|last message (?:must|should|cannot)|first message (?:must|should)|after (?:a |an )?(?:user|function response) turn",
                ),
                Says(
                    r"(?:content|text|message|messages|parts?)(?: blocks?| field)?(?: must)?(?: be| is| are| cannot be| may not be| must be| must have)* (?:non-?empty|empty|null)|empty (?:content|message|text|parts)|must have non-?empty|all messages must|no messages|messages?: (?:at least|field required|text content)|must not be empty|cannot end with trailing|non-whitespace text|assistant messages? at the end|contentblock[ -~]{0,60}is blank|cache_control[ -~]{0,40}(?:maximum|empty|cannot)|(?:maximum|more than|at most)[ -~]{0,30}cache_control|(?:assistant|user|tool|system) messages? must (?:have|contain|include)|(?:elements|items|entries|messages) in (?:the )?(?:history|messages|conversation)\b[ -~]{0,20}must",
                ),
                Says(
                    r"\bmessages[.\[][0-9]+[ -~]{0,100}(?:invalid|must|required|unexpected|extra|not permitted|not allowed|expected|does not match|failed|unknown|unsupported|should|cannot)",
                ),
                Says(
                    r"\bcontents?\[[0-9]+\][ -~]{0,80}(?:empty|cannot be|invalid|must|required|unexpected|expected)|\binput\[[0-9]+\][ -~]{0,80}(?:invalid|must|required|unexpected|expected|unknown|not)",
                ),
            ],
            &[
                "400 messages: roles must alternate between \"user\" and \"assistant\"",
                "400 messages.429.content.0.text: text content blocks must be non-empty",
                "400 Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant",
                r#"400 {"error":{"message":"Invalid value: 'foo'. messages[429].role must be one of user, assistant","type":"invalid_request_error"}}"#,
            ],
        ),
    ],
    kinds: &[],
    statuses: &[],
};
