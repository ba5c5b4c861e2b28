//! Server: the provider, or something between it and us, failed by itself.

use super::super::class::Signal::{Code, RequestFault, Says, Status};
use super::super::class::{Class, Consequence, Rule};
use super::NEAR_WAIT;

pub(super) const CLASS: Class = Class {
    id: "server",
    consequence: Consequence::Transient,
    says: "the provider, or a gateway before it, failed by itself",
    advice: "Nothing was wrong with the request: retry the same approach. If it goes on, tell the user that the provider is failing.",
    advice_switched: "The failure was the earlier provider's; continue with the same approach.",
    note_says_retry: true,
    rules: &[
    Rule::new(
        "server.failed",
        "OpenAI, Bedrock, OpenRouter, Cloudflare, Envoy, nginx, Copilot",
        &[
            Says(r"(?:internal|unexpected)[ _]?(?:server|service|system|network)?[ _]?(?:error|failure|exception)\b|server[ _]?error\b|internal ?server ?(?:error|exception)|server had an error|something went wrong|finish_reason: (?:network_)?error|encountered an issue|response\.failed|response failed|unknown error (?:occurred|from)|unexpected token '?<|<!doctype[ -~]{0,20} is not valid json|(?:内部|系统|服务器?|上游)(?:服务器?)?[^\n]{0,4}(?:错误|异常|故障|失败)|error (?:occurred )?while processing your request"),
            Says(r"bad gateway|gateway time-?out|upstream[ -~]{0,30}(?:error|fail|connect|unavailable|timed?|reset|request)|(?:error|failed)[ -~]{0,20}upstream|provider (?:has )?returned (?:an )?error|forward upstream|exceeded request buffer limit while retrying|web server is (?:down|returning)|origin (?:is|dns|web server)|retry your request|try your request again"),
            Says(r"backend (?:error|fetch|is)\b|no healthy (?:upstream|backend|host)s?|application failed to respond|function (?:has )?crashed|function_invocation_|worker threw|guru meditation|server is (?:timing out|restarting|starting)|(?:model|engine|server|runner|process) (?:has |was |process )*(?:crashed|died|terminated)|cuda error|context canceled|experiencing (?:issues|problems)|error occurred in the application\b|unexpected response\b|unexpected server response(?:[^:]|$)|\b13 internal\b"),
            Code("server_error"),
            Code("do_request_failed"),
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
    .unless(&[RequestFault, Status(429)]),
    Rule::new(
        "server.asks-to-retry",
        "whoever names no reason but asks for another try, in the languages seen",
        &[
            Says(r"(?:try|retry)(?: again| it| this| your request| the request)* (?:later|shortly|soon|in (?:a|some) (?:few |little |short )?(?:moments?|minutes?|seconds?|bit|while|time))|back ?off and (?:re)?try|wait (?:a|for a|some) (?:few |little )?(?:moments?|minutes?|seconds?|bit|while)"),
            Says(r"稍[后候後][^\n]{0,4}[试試]|再[试試]一次|しばらく|나중에 다시|más tarde|mais tarde|plus tard|später|позже"),
            NEAR_WAIT,
        ],
        &["Please try again later.", "暂不可用，请稍后再试"],
    )
    .unless(&[RequestFault, Status(429), Says(r"\b(?:network|connect(?:ion)?|socket|timed? ?out|timeout)\b|网络|连接|超时")])],
    kinds: &[
        ("api_error", "Anthropic"),
        ("internal", "Google"),
        ("aborted", "Google"),
        ("internalservererror", "LiteLLM"),
        ("apierror", "LiteLLM"),
    ],
    statuses: &[500, 502, 520, 521, 522, 523, 524, 525, 526, 527, 530],
};
