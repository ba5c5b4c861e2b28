//! Content filter: what was sent, or what the model began to answer, was refused for what it says.

use super::super::class::Signal::{Code, Says};
use super::super::class::{Class, Consequence, Rule};

pub(super) const CLASS: Class = Class {
    id: "content_filter",
    consequence: Consequence::Fatal,
    says: "the provider's content filter refused the request or the answer",
    advice: "The same request will be refused again. Say it in other words or leave the passage out, and tell the user that the provider's filter stopped it.",
    advice_switched: "The filter was the earlier provider's; continue.",
    note_says_retry: false,
    rules: &[Rule::new(
        "content_filter.refused",
        "OpenAI, Azure, Anthropic, Gemini, DeepSeek, DashScope, z.ai 1301",
        &[
            Says(
                r"content[ _](?:filter(?:ing|ed)?|policy|management policy|moderation)|usage polic(?:y|ies)|content exists risk|safety (?:system|filter|settings|reasons)|flagged (?:as|for|by)|(?:was|been|is) flagged|: refusal\b|stop_reason: refusal|refused by the model|prohibited[ _]content|inappropriate content|contains? (?:sensitive|inappropriate|prohibited|harmful)\b|violat(?:es|e|ing|ion)[ -~]{0,30}(?:polic|terms|guidelines)|blocked by[ -~]{0,30}(?:filter|safety|guardrail)|敏感|违规|不安全|new_sensitive|finish_?reason[^a-z]{0,6}(?:safety|recitation|prohibited|blocklist|spii|content)|\brecitation\b|requires moderation|guardrails?\b[a-z ]{0,20}(?:blocked|intervened)|不合规|内容安全",
            ),
            Code("content_filter"),
            Code("sensitive_words_detected"),
            Code("content_policy_violation"),
            Code("data_inspection_failed"),
            Code("datainspectionfailed"),
            Code("responsibleaipolicyviolation"),
            Code("contentfiltered"),
            Code("invalid_prompt"),
            Code("cyber_policy"),
            Code("1301"),
            Code("contentpolicyviolationerror"),
            Code("moderation_blocked"),
        ],
        &[
            "400 Output blocked by content filtering policy",
            r#"{"error":{"message":"Content Exists Risk","type":"invalid_request_error"}}"#,
            r#"400 {"error":{"code":"data_inspection_failed","message":"Input data may contain inappropriate content."}}"#,
        ],
    )],
    kinds: &[],
    statuses: &[451],
};
