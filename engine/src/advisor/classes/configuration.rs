//! Configuration: the model, endpoint, parameter or tool definition is not one the provider knows.

use super::super::class::Signal::{Code, Says};
use super::super::class::{Class, Consequence, Rule};

pub(super) const CLASS: Class = Class {
    id: "configuration",
    consequence: Consequence::Fatal,
    says: "the provider does not know or support the model, an endpoint, a parameter or a tool definition",
    advice: "Repeating the request will not help. Tell the user what is not supported, so that they can pick another model with `/model` or mend the configuration.",
    advice_switched: "The setting belonged to the earlier model; continue.",
    note_says_retry: false,
    rules: &[
        Rule::new(
            "configuration.model",
            "OpenAI, Anthropic, Ollama, OpenRouter, Bedrock, Gemini, z.ai 1211",
            &[
                Says(
                    r"model[ -~]{0,80}(?:not found|does not exist|doesn't exist|not exist|is not (?:available|supported|accessible|enabled)|isn't (?:available|supported)|not supported|unsupported|deprecated|decommissioned|retired|no longer (?:available|supported)|unknown|is not a valid|unavailable for)|(?:unknown|invalid|unsupported|no such|unrecognized) (?:language)?model|not a valid model|model (?:identifier|id|name)[ -~]{0,40}is invalid|no endpoints (?:found|available)|does not work with (?:the |this )?(?:specified |selected )?model|not (?:yet )?available (?:for|on|with|to) (?:this|your) (?:subscription|plan|account|tier)|不支持[^\n]{0,8}模型|模型[^\n]{0,12}(?:不支持|未开通|已下线)|no allowed providers|模型不存在|on-demand throughput isn't supported|pull it first|requires more (?:system |gpu )?memory|try pulling",
                ),
                Code("model_not_found"),
                Code("model_not_supported"),
                Code("modelnotfound"),
                Code("unsupported_model"),
                Code("1211"),
                Code("deploymentnotfound"),
                Code("resourcenotfoundexception"),
                Code("model_not_available"),
                Code("no_available_model_endpoints"),
                Code("unsupported_api_for_model"),
                Code("not_found_error"),
            ],
            &[
                "Model not found",
                r#"404 {"type":"error","error":{"type":"not_found_error","message":"model: claude-x"}}"#,
                r#"model "foo" not found, try pulling it first"#,
            ],
        ),
        Rule::new(
            "configuration.parameter",
            "OpenAI, Anthropic, Gemini, Ollama: parameters, tools and schemas",
            &[
                Says(
                    r"(?:unsupported|unknown|unrecognized|invalid|unexpected) (?:parameter|value|field|argument|request argument|name|json payload|schema|type)|(?:parameter|field|value)[ -~]{0,40}(?:not supported|is not (?:valid|allowed)|unsupported)|extra inputs are not permitted|invalid schema|tool schema|schema[ -~]{0,30}(?:not supported|invalid|rejected)|input_schema|\btools?\.[0-9]+|\btools\[[0-9]+\]|function_declarations\b|(?:temperature|top_p|top_k|penalty)\W[ -~]{0,40}(?:may|must|cannot|can't|only)\b|provide a chat template|enable_thinking|(?:requires?|without) --[a-z]|(?:does not|doesn't) support (?:tools|tool|function|thinking|reasoning|streaming|temperature|parallel|system|assistant)|tools?[ .\[]?[0-9]*[ -~]{0,30}(?:not supported|unsupported)|tool names must be unique|too many tools|\btools?'?: (?:array )?too long|not supported (?:with|in|by|for|on) (?:this|the) model|only (?:supported|available) (?:in|on|via|with) v1/|budget_tokens|reasoning_effort|tool_choice|tool choice|invalid (?:json )?schema for|参数[^\n]{0,4}(?:错误|非法|无效|有误)",
                ),
                Says(
                    r"self[- ]signed certificate|unable to (?:verify|get)[ -~]{0,20}(?:certificate|issuer)|certificate (?:has expired|verify failed|is not)|cert_has_expired|depth_zero_self_signed|invalid url|unsupported protocol|err_invalid_url|unable_to_verify_leaf_signature|err_tls_cert|certificate's altnames|pkix path|valid certification path|does not match (?:the )?certificate|self_signed_cert|x509: certificate|(?:entity|url) was not found|404 page not found|no route matched|cannot (?:post|get) /",
                ),
                Code("unsupported_parameter"),
                Code("unsupported_value"),
                Code("unknown_parameter"),
                Code("invalid_function_parameters"),
                Code("1210"),
            ],
            &[
                "400 Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                "registry.ollama.ai/library/foo does not support tools",
                "400 tools.0.custom.input_schema: JSON schema is invalid",
                "self signed certificate in certificate chain",
            ],
        ),
    ],
    kinds: &[
        ("notfounderror", "LiteLLM"),
        ("not_found", "Google"),
        ("modelerror", "opencode"),
        ("unsupportedparamserror", "LiteLLM"),
    ],
    statuses: &[404, 405],
};
