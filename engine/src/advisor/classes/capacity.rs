//! Capacity: the provider has no room for the request at the moment.

use super::super::class::Signal::{Code, RequestFault, Says};
use super::super::class::{Class, Consequence, Rule};

pub(super) const CLASS: Class = Class {
    id: "capacity",
    consequence: Consequence::Transient,
    says: "the provider is overloaded or has no capacity at the moment",
    advice: "Nothing was wrong with the request: wait a little, then retry the same approach.",
    advice_switched: "The load was on the earlier model; continue with the same approach.",
    note_says_retry: true,
    rules: &[Rule::new(
        "capacity.overloaded",
        "Anthropic, OpenAI, Google, Mistral, Kimi, DeepSeek, z.ai 1305 and 1312, ChatGPT",
        &[
            Says(r"overload(?:ed)?\b|(?:no|at|at (?:full|max(?:imum)?)|over|insufficient|out of|exceeded|limited|not enough) capacity|capacity (?:is |was |has been |temporarily |currently )*(?:exceeded|exhausted|available|constraints?|reached)|high (?:demand|traffic|load)\b|heavy (?:load|traffic)|(?:servers?|service|system|model|engine)[ -~]{0,20} (?:is |are )?(?:currently |too )?busy|server_busy|model (?:[!-~]{1,80} )?is (?:currently |still )?loading|loading model|访问量过大|繁忙|过载|负载[^\n]{0,4}(?:饱和|高|满|大)|饱和|排队|(?:服务|模型)[^\n]{0,4}不可用|no available server|no [a-z ]{0,20}(?:workers?|gpus?|instances?|nodes?) available|cold[- ]start|\bunavailable\b|资源(?:不足|紧张)"),
            Says(r"(?:service|model|api|engine|endpoint)[ -~]{0,24}(?:temporarily|currently|momentarily) (?:unavailable|unable)|temporarily unavailable|not ready (?:yet|to)|model[ -~]{0,20}not ready|service (?:is )?unavailable|warming up|unable to process your request|queue (?:is )?full"),
            Code("overloaded_error"),
            Code("server_is_overloaded"),
            Code("engine_overloaded_error"),
            Code("engine_overloaded"),
            Code("model_capacity_exhausted"),
            Code("modelnotreadyexception"),
            Code("service_tier_capacity_exceeded"),
            Code("serviceunavailableexception"),
            Code("1305"),
            Code("1312"),
            Code("server_busy"),
            Code("slow_down"),
            Code("capacity_exceeded"),
            Code("subscription_sharing_usage_unavailable"),
            Code("subscription_sharing_user_unavailable"),
        ],
        &[
            r#"{"type":"error","error":{"details":null,"type":"overloaded_error","message":"Overloaded"},"request_id":"req_x"}"#,
            r#"{"error":{"code":429,"message":"No capacity available for model on the server","status":"RESOURCE_EXHAUSTED","details":[{"reason":"MODEL_CAPACITY_EXHAUSTED"}]}}"#,
            "Error: Service temporarily unavailable. Please try again shortly.",
            "503 UNAVAILABLE: This model is currently experiencing high demand.",
            r#"429 {"error":{"message":"Service tier capacity exceeded for this model.","type":"invalid_request_error","code":"3505"}}"#,
        ],
    )
    .unless(&[RequestFault])],
    kinds: &[
        ("unavailable", "Google"),
        ("service_unavailable_error", "OpenAI"),
        ("serviceunavailable", "Azure"),
        ("serviceunavailableerror", "LiteLLM"),
    ],
    statuses: &[503, 529],
};
