//! Quota or billing: a wall that waiting a little does not pass.

use super::super::class::Signal::{Code, RequestFault, Says, Status, WaitOver};
use super::super::class::{Class, Consequence, Rule, Signal};
use super::{LONG, NEAR, NEAR_WAIT, NEAR_WORDS};

pub(super) const CLASS: Class = Class {
    id: "quota",
    consequence: Consequence::Fatal,
    says: "the account's quota, usage limit or balance is used up",
    advice: "Repeating the request does not help before the limit resets. Do not retry; tell the user that the limit is reached, \
             when it resets if that is known, and that until then only topping up the account or another model or provider helps.",
    advice_switched: "The limit belongs to the earlier model's account; continue, and mention it only if it happens again.",
    note_says_retry: false,
    rules: &[
        Rule::new(
            "quota.payment",
            "OpenRouter, DeepSeek, Copilot: a status that asks for money",
            &[Status(402)],
            &[
                "402 Prompt tokens limit exceeded: 69120 > 36608. To increase, add more credits",
                r#"402 {"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}"#,
            ],
        )
        .unless(&[NEAR_WAIT, NEAR_WORDS, Says(r"rate[ _-]?limit|too many requests|throttl")]),
        Rule::new(
            "quota.balance",
            "DeepSeek 402, Anthropic 400, xAI 403, Kimi 429, z.ai 1113, DashScope Arrearage",
            &[
                Says(r"insufficient (?:account |api )?(?:balance|funds|credits?)\b|(?:balance|credits?)[ _](?:(?:is|are) )?(?:too low|insufficient|exhausted|depleted|negative|not enough)|not enough (?:account )?balance|enough credits"),
                Says(r"(?:out of |no (?:more |remaining |available )|used (?:all|up) (?:your |available |of your )*|more |not enough |run out of |add )credits?\b|(?:don't|doesn't|do not|does not) have (?:any |enough |sufficient )?(?:credits?|licenses|funds)\b|over budget\b|exceeded ?budget|\bno credits?(?: (?:left|remaining|available)|[^ a-z]|$)|available balance|out of (?:budget|(?:extra |included )?usage)|credits? (?:exhausted|required)"),
                Says(r"余额不足|欠费|(?:请|需要?)(?:先)?(?:充值|续费)|(?:额度|配额|流量)[^\n]{0,6}(?:用尽|用完|耗尽|不足)|套餐[^\n]{0,4}(?:到期|过期|用完|不足)|残高(?:が)?不足|잔액[^\n]{0,4}부족|saldo insuficiente|solde insuffisant|недостаточно средств|please recharge|\boverdue\b|payment required|in good standing|account (?:is |has been )?(?:temporarily )?(?:suspended|deactivated|in arrears)"),
                Says(r"\b(?:trial|subscription)(?: period)? (?:has |is )?(?:ended|expired|required|inactive|cancell?ed)|(?:payment|card)(?: method)? (?:was |has been |is )?declined|no active (?:subscription|plan)\b|\bplan limits? (?:exceeded|reached)|update your billing|wallet balance|余额[^\n]{0,3}(?:不足|为 ?0)|预扣费"),
                Says(r"quota is (?:not enough|insufficient)|insufficient (?:user |token )?quota\b|valid (?:credit card|payment method)|account is not active"),
                Code("arrearage"),
                Code("insufficient_user_quota"),
                Code("pre_consume_token_quota_failed"),
                Code("setlimitexceeded"),
                Code("prepaidbilloverdue"),
                Code("postpaidbilloverdue"),
                Code("commoditynotpurchased"),
                Code("insufficient_balance_error"),
                Code("balance_insufficient"),
                Code("billing_disabled"),
                Code("accountoverdueerror"),
                Code("1113"),
                Code("insufficient_balance"),
                Code("billing_error"),
                Code("billing_not_active"),
                Code("payment_required"),
                Code("credit_balance_too_low"),
                Code("access_terminated_error"),
            ],
            &[
                r#"400 {"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}"#,
                r#"{"type":"error","error":{"type":"rate_limit_error","code":"1113","message":"[1113][Insufficient balance or no resource package. Please recharge.][x]"}}"#,
            ],
        ),
        Rule::new(
            "quota.wall-code",
            "OpenAI insufficient_quota, ChatGPT usage_limit_reached, z.ai 1308–1310, LiteLLM, opencode",
            &[
                Code("insufficient_quota"),
                Code("billing_hard_limit_reached"),
                Code("usage_not_included"),
                Code("terminal_quota_exhausted"),
                Code("exceeded_current_quota_error"),
                Code("freeusagelimiterror"),
                Code("gousagelimiterror"),
                Code("budget_exceeded"),
                Code("budgetexceedederror"),
                Code("allocationquota.freetieronly"),
                Code("1309"),
                Code("subscription_sharing_usage_limit_exceeded"),
                Code("subscription_sharing_workplace_individual_usage_limit_exceeded"),
            ],
            &[
                "insufficient_quota: You exceeded your current quota",
                "GoUsageLimitError 429",
                r#"429 {"error":{"message":"Budget has been exceeded! Current cost: 10.2, Max budget: 10.0","type":"budget_exceeded","code":"400"}}"#,
            ],
        )
        .unless(ALLOCATED),
        Rule::new(
            "quota.usage-wall",
            "ChatGPT and Claude accounts, Kimi, z.ai coding plans, Copilot",
            &[
                Says(r"usage[ _]limits?\b(?: (?:has been|was|is))? ?(?:reached|exceeded|hit)|(?:reached|hit|exceeded|over) (?:[a-z0-9'-]+ ){0,5}(?:usage|spending|spend|plan) (?:limits?|cap|allowance|quota)"),
                Says(r"(?:5|five)[ -]hours? (?:usage )?limit|limit reached for [0-9]+ ?hours?|(?:session|5h) limit|(?:hit|reached) your (?:(?:weekly|daily|hourly|monthly|plan|account|opus|sonnet) )?limit|free (?:usage|tier)[ -~]{0,40}(?:exceeded|exhausted|used)|budget (?:has been |is )?exceeded|exceeded (?:[a-z0-9'-]+ ){0,3}budget|limit will reset at|(?:spend|spending|cost|budget) (?:limit|cap)|usage cap\b|used (?:up )?all (?:of )?your (?:included |available |free |monthly |fast |premium )*(?:usage|quota|allowance|requests|tokens)|used (?:up (?:all )?your|(?:its|your) [0-9,]+ (?:monthly|weekly|daily|free))\b|resource pack(?:age)?[ -~]{0,40}exhausted|premium request|\bkey limit exceeded|included usage[ -~]{0,30}(?:reached|exceeded|used)|hard billing limit|billing (?:hard )?limit"),
                Code("usage_limit_reached"),
                Code("usage_limit_exceeded"),
                Code("1308"),
                Code("1309"),
                Code("1310"),
                Code("1311"),
                Code("1313"),
                Code("token_quota_reached"),
            ],
            &[
                r#"429 {"type":"usage_limit_reached","message":"The usage limit has been reached"}"#,
                r#"429 {"error":{"code":"1308","message":"Usage limit reached for 5 hour. Your limit will reset at 2026-01-15 03:08:09"}}"#,
                "You've hit your usage limit. Upgrade to Pro or try again in 3 days 4 hours.",
                "Claude AI usage limit reached|1790000000",
                "API key USD spend limit exceeded. Your account may still have USD balance.",
            ],
        )
        .unless(NEAR),
        Rule::new(
            "quota.period",
            "Kimi, OpenRouter free models, Gemini per-day metrics, Copilot weekly limits",
            &[
                Says(r"\b(?:monthly|weekly)\b[ -~]{0,30}\b(?:limit|quota|allowance|cap)|(?:calls|requests|messages|tokens) ?(?:/|per|a|each) ?(?:calendar )?(?:month|week)\b|(?:limit|quota|allowance)[ -~]{0,30}\b(?:this|next|per|a|each|the|billing) (?:month|week|billing cycle|cycle)\b"),
                Says(r"free-models-per-day|limit_rpd|requestsperday|tokensperday|tokencountperday|requests[a-z]*perday|tokens[a-z]*perday|(?:hour|day|week|month|free) allocated quota|\bper-(?:week|month)\b|daily (?:usage |token |request |message |free |api |model )*(?:limit|quota|allowance)|(?:limit|quota|allowance)[ -~]{0,20} (?:for )?today\b"),
                Says(r"(?:[每本]|今)(?:周|月|日|天)[^\n]{0,12}(?:限|额)|(?:使用|用量)[^\n]{0,4}(?:上限|限额)|小时限制|用量已?(?:超过|用完|刷新)|超过套餐|用量刷新|(?:周|月|日)(?:限额|额度|配额)"),
                Code("user_weekly_rate_limited"),
            ],
            &[
                "HTTP 429: The monthly allowance of this key is used.",
                r#"{"error":{"message":"Rate limit exceeded: free-models-per-day. Add 10 credits to unlock more","code":429}}"#,
                r#"429 {"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},{"retryDelay":"34s"}]}}"#,
            ],
        ),
        Rule::new(
            "quota.day",
            "limits on requests per day, unless the window that slides over them clears within minutes",
            &[Says("requests per day")],
            &["429 Rate limit reached on requests per day (RPD): Limit 1000, Used 1000. Please try again in 7h12m."],
        )
        .unless(&[NEAR_WAIT]),
        Rule::new(
            "quota.nothing-granted",
            "Gemini models that the free tier does not have; a wait does not help, although one is named",
            &[Says(r"\blimit: 0\b[ -~]{0,60}(?:free|model|quota)|quota exceeded[ -~]{0,160}\blimit: 0\b")],
            &[
                r#"429 {"error":{"message":"You exceeded your current quota. * Quota exceeded for metric: x/generate_content_free_tier_requests, limit: 0, model: m\nPlease retry in 10.67s.","status":"RESOURCE_EXHAUSTED","code":429}}"#,
            ],
        ),
        Rule::new(
            "quota.exceeded",
            "OpenAI, Gemini, Azure, Cerebras per day; unless the limit clears within minutes",
            &[
                Says(r"(?:exceed(?:s|ed)?|reached|exhausted|used up|over|hit|out of|insufficient) (?:your |the |its |current |api |account |free |tier |my |available |assigned |monthly |token |request |usage )*quota|quota (?:has been |is |was |will be |will )?(?:exceeded|exhausted|reached|used up|depleted|reset)"),
                Says(r"quota_exceeded|plan and billing|billing (?:details|settings|account|page|period|cycle)|check your billing|billing is (?:disabled|not enabled)|enable billing|\bextra usage\b|配额|额度不足"),
                Code("quota_exceeded"),
                Code("quotaexceeded"),
                Code("servicequotaexceededexception"),
                Says(r"tokens per day limit|per[ -]day limit|(?:limit|exceeded)[ -~]{0,20} tokens per day"),
            ],
            &[
                "quota exceeded",
                r#"429 {"error":{"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","code":429}}"#,
                r#"429 {"type":"error","error":{"type":"rate_limit_error","message":"Extra usage is required for long context requests."}}"#,
                r#"Cloud Code Assist API error (429): {"error":{"code":429,"message":"You have exhausted your capacity on this model. Your quota will reset after 4h12m9s.","status":"RESOURCE_EXHAUSTED"}}"#,
            ],
        )
        .unless(THROTTLED),
        Rule::new(
            "quota.far-reset",
            "any rate limit that clears in more than an hour",
            &[
                Status(429),
                Says(r"rate[ _-]?limit|too many requests|quota|\blimit (?:reached|exceeded)|exhausted"),
                Says(r"regain access on|resets? (?:at|on) "),
            ],
            &[
                "429 Too Many Requests: rate limit reached, try again in 5 hours",
                "You will regain access on 2027-08-01 at 00:00 UTC.",
            ],
        )
        .all(&[WaitOver(LONG)])
        .unless(&[RequestFault, NEAR_WORDS]),
    ],
    kinds: &[],
    statuses: &[],
};

/// Signs that the quota is a rate: it clears within minutes, or the words are those of a throttle.
const THROTTLED: &[Signal] = &[
    NEAR_WAIT,
    NEAR_WORDS,
    Says(r"\btp[dm]\b|rate[ _-]?limit|please wait|throttl"),
    Code("throttling.allocationquota"),
    Code(TOKEN_LIMIT_PAGE),
    Says("allocated quota"),
];

/// `DashScope` words its limit on tokens per minute as a used-up quota, and links the page that says so.
const TOKEN_LIMIT_PAGE: &str = "#token-limit";

/// Signs of `DashScope`'s limit on tokens per minute.
const ALLOCATED: &[Signal] =
    &[Says("allocated quota|throttl"), Code("throttling.allocationquota"), Code(TOKEN_LIMIT_PAGE)];
