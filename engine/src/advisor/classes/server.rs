//! Server: the provider, or something between it and us, failed by itself.

use super::super::class::Signal::{Code, RequestFault, Says};
use super::super::class::{Class, Consequence, Rule};

pub(super) const CLASS: Class = Class {
    id: "server",
    consequence: Consequence::Transient,
    says: "the provider, or a gateway before it, failed by itself",
    advice: "Nothing was wrong with the request: retry the same approach. If it goes on, tell the user that the provider is failing.",
    advice_switched: "The failure was the earlier provider's; continue with the same approach.",
    note_says_retry: true,
    rules: &[Rule::new(
        "server.failed",
        "OpenAI, Bedrock, OpenRouter, Cloudflare, Envoy, nginx, Copilot",
        &[
            Says(r"(?:internal|unexpected)[ _]?(?:server|service|system|network)?[ _]?(?:error|failure|exception)\b|server[ _]?error\b|internal ?server ?(?:error|exception)|server had an error|something went wrong|finish_reason: (?:network_)?error|encountered an issue|response\.failed|response failed|unknown error (?:occurred|from)|error (?:occurred )?while processing your request"),
            Says(r"bad gateway|gateway time-?out|upstream[ -~]{0,30}(?:error|fail|connect|unavailable|timed?|reset|request)|(?:error|failed)[ -~]{0,20}upstream|provider (?:has )?returned (?:an )?error|forward upstream|exceeded request buffer limit while retrying|web server is (?:down|returning)|origin (?:is|dns|web server)|retry your request|try your request again"),
            Code("server_error"),
            Code("internal_error"),
            Code("internal_server_error"),
            Code("internalserverexception"),
            Code("internalfailure"),
            Code("modelerrorexception"),
            Code("modelstreamerrorexception"),
            Code("upstream_error"),
            Code("bad_response_status_code"),
            Code("internalerror"),
        ],
        &[
            "500 Internal Server Error",
            "Provider returned error",
            "The server had an error while processing your request. Sorry about that!",
            "upstream connect error or disconnect/reset before headers. reset reason: connection termination",
            "<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>",
        ],
    )
    .unless(&[RequestFault])],
    kinds: &[
        ("api_error", "Anthropic"),
        ("internal", "Google"),
        ("aborted", "Google"),
        ("internalservererror", "LiteLLM"),
        ("apierror", "LiteLLM"),
    ],
    statuses: &[500, 502, 520, 521, 522, 523, 524, 525, 526, 527, 530],
};
