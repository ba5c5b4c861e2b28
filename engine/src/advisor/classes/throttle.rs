//! Throttle: requests or tokens came too fast.

use super::super::class::Signal::{Code, RequestFault, Says, Status};
use super::super::class::{Class, Consequence, Rule};
use super::NEAR_WAIT;

pub(super) const CLASS: Class = Class {
    id: "throttle",
    consequence: Consequence::Transient,
    says: "the provider limits the rate of requests or tokens",
    advice: "Nothing was wrong with the request: after a wait, retry the same approach. Do not shorten or change it because of this.",
    advice_switched: "The limit was the earlier model's; continue with the same approach.",
    note_says_retry: true,
    rules: &[
        Rule::new(
            "throttle.tokens-per-time",
            "Cerebras, OpenAI, Groq, Anthropic and Moonshot limits per minute or day",
            &[
                Says(r"tokens?(?: processed)?(?: per |/)(?:min(?:ute)?|sec(?:ond)?|hour)\b|per[ -]minute|\b(?:tpm|rpm|tpd|rpd|itpm|otpm)\b"),
                Says(r"(?:requests?|calls?) (?:per|/|a|each|every) ?(?:[0-9]+ ?)?(?:min(?:ute)?|sec(?:ond)?|hour)s?\b|perminute|persecond|\bconn(?:ection)? limit\b|\bqps\b|\bqpm\b"),
                Says(r"too many tokens[ -~]{0,30}(?:please )?(?:wait|try again)|too many tokens processed|too many tokens (?:in|within|during|for) (?:this|the|a|one|last|given)\b|tokens[ -~]{0,40} (?:within|in|during|over) (?:a |the |this )?(?:given |certain |short |fixed |current |last )*(?:time|period|interval|minutes?|seconds?|hours?)\b"),
                Code("too_many_tokens_error"),
                Code("token_quota_exceeded"),
            ],
            &[
                "Tokens per minute limit exceeded - too many tokens processed",
                "This request exceeds the limit of 30000 tokens per minute",
                "ThrottlingException: Too many tokens, please wait before trying again.",
                "Too many tokens per day, please wait before trying again.",
                "413 Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 7000, please reduce your message size and try again.",
                "request reached organization TPD rate limit, current: 1506556, limit: 1500000",
            ],
        ),
        Rule::new(
            "throttle.rate-limit",
            "OpenAI, Anthropic, Mistral, Cloudflare 1015, Bedrock, Azure, DashScope, z.ai 1302",
            &[
                Says(r"rate[ _-]?limit(?:s|ed|ing|er|exceeded)?\b|provisioned ?throughput ?exceeded|too (?:quickly|often)\b|too many requests|request rate|too frequent(?:ly)?|too fast\b|slow ?down|rate exceeded|request limit exceeded|frequency limit|요청 한도"),
                Says(r"throttl(?:ed|ing)\b|throttlingexception|限流|速率限制|过于频繁|(?:请求|访问|调用|操作)[^\n]{0,4}(?:频繁|过快|太快)|(?:请求|访问|调用)(?:次数|数量?|频率|速率|速度)[^\n]{0,8}(?:超|过[快高]|达到|限)|并发"),
                Says(r"リクエストが多すぎ|レート制限|요청이 너무 많|속도 제한|demasiadas (?:solicitudes|peticiones)|muitas solicitações|zu viele anfragen|trop de requêtes|слишком много запросов"),
                Says(r"concurren(?:cy|t)[ -~]{0,40}(?:limit|usage|exceed|reduce|too many|requests)|(?:too many|max(?:imum)?) (?:concurrent|parallel|simultaneous)|exceeded[ -~]{0,20}concurren|error (?:code:? )?1015"),
                Says(r"[0-9]+ ?m?s retry delay|no deployments available"),
                Code("toomanyrequestsexception"),
                Code("throttlingexception"),
                Code("throttling"),
                Code("throttling.ratequota"),
                Code("throttling.allocationquota"),
                Code("throttling.burstrate"),
                Code("limitrequests"),
                Code("limit_requests"),
                Code("rate_limit_exceeded"),
                Code("rate_limit_reached_error"),
                Code("ratelimitreached"),
                Code("concurrency_limit_exceeded"),
                Code("requestlimitexceeded"),
                Code("1302"),
                Code("1303"),
            ],
            &[
                "429 Too Many Requests: too many tokens",
                "ThrottlingException: Rate exceeded",
                r#"429 {"error":{"code":"1302","message":"High concurrency usage of this API, please reduce concurrency"}}"#,
                "Server requested 120s retry delay (max: 60s).",
                r#"Cloud Code Assist API error (429): {"error":{"code":429,"message":"You have exhausted your capacity on this model. Your quota will reset after 0s.","details":[{"reason":"RATE_LIMIT_EXCEEDED"}]}}"#,
            ],
        )
        .unless(&[Says(r"(?:unknown|unsupported|invalid|unrecognized) (?:parameter|value|field|arguments?|tool arguments)|invalid schema|\b(?:function|tool) '|extra inputs|\b(?:messages|contents?|input)[.\[][0-9]+|validation (?:failed|error)|does not match (?:the |its )?schema")]),
        Rule::new(
            "throttle.tokens-by-status",
            "gateways that send a limit on tokens as a 429 and name no time",
            &[Says(
                r"too many (?:\w+ )?tokens|exceed(?:s|ed)?\b[ -~]{0,60}\btokens?\b|\btokens?\b[ -~]{0,60}\bexceed(?:s|ed)?\b",
            )],
            &["429 You have exceeded the allowed number of tokens. Wait a bit and try again."],
        )
        .all(&[Status(429)])
        .unless(&[Says(r"\bcontext\b|prompt|too long|input length|model'?s? (?:max|limit)")]),
        Rule::new(
            "throttle.short-quota",
            "Gemini and Code Assist quotas that clear within minutes",
            &[Says(r"quota|billing|usage limit|resource (?:has been )?exhausted"), Code("resourceexhausted")],
            &[
                r#"429 {"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"x","retryDelay":"34s"}]}}"#,
                "429 Resource has been exhausted (e.g. check quota).",
                "ResourceExhausted",
            ],
        )
        .unless(&[Says(r"quotas? (?:page|project)|billing (?:is )?(?:disabled|required)")]),
        Rule::new(
            "throttle.near-wait",
            "gateways that name a limit and a wait of minutes, whatever the limit is on",
            &[Says(r"\blimits?\b|exceed|exhausted|too many")],
            &["Token limit is exceeded. Try again in 45 seconds."],
        )
        .all(&[NEAR_WAIT])
        .unless(&[RequestFault, Says(r"\bcontext\b|prompt|too long|input length|上下文")]),
    ],
    kinds: &[
        ("rate_limit_error", "Anthropic"),
        ("rate_limit", "several gateways"),
        ("resource_exhausted", "Google"),
        ("too_many_requests", "several gateways"),
        ("toomanyrequestsexception", "AWS"),
        ("ratelimiterror", "LiteLLM"),
    ],
    statuses: &[429],
};
