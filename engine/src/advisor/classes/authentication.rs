//! Authentication: the provider does not accept who is asking.

use super::super::class::Signal::{Code, Says};
use super::super::class::{Class, Consequence, Rule};

pub(super) const CLASS: Class = Class {
    id: "authentication",
    consequence: Consequence::Fatal,
    says: "the provider did not accept the login or key",
    advice: "Repeating the request will not help. Tell the user to log in again with `/login` or to check the key and its permissions.",
    advice_switched: "The login belonged to the earlier model's provider; mention it only if it happens again.",
    note_says_retry: false,
    rules: &[
        Rule::new(
            "authentication.words",
            "Anthropic, OpenAI, Kimi, Google, AWS, Copilot, pi's own missing-key text",
            &[
                Says(r"(?:api[ _-]?key|x-api-key|access[ _-]?key|(?:access|auth|oauth|security|session|bearer|refresh|id|authorization)[ _-]?tokens?|token|credentials?|login|password|authentication|subscription key)\b[ -~]{0,50}(?:invalid|expired|revoked|missing|incorrect|not (?:valid|found|provided|set|authorized)|required|failed|denied|rejected|disabled|deleted|blocked|leaked|reported|already (?:been )?used|reused)"),
                Says(r"(?:invalid|incorrect|expired|missing|no|bad|wrong|unknown|revoked|malformed|could not (?:resolve|load|find)|unable to (?:locate|load|resolve)|couldn't resolve) (?:the |a |an |any |your |provided |default |valid |openai |anthropic |google |aws )*(?:api[ _-]?key|x-api-key|credentials?|bearer|authentication|authorization(?: header)?|access token|auth token|oauth token|security token|authentication method)"),
                Says(r"unauthori[sz]ed|not authenticated|unauthenticated|authentication (?:failed|error|required|fails)|please (?:log|sign) ?in|log in again|re-?authenticate|login (?:required|again)|must be (?:logged|signed) in|not logged in|invalid_grant|could not be authenticated|oauth authentication|credential is only|access tokens? are not supported|extract accountid|could not verify your (?:identity|credentials)|login fail|api ?密钥|身份验证|鉴权失败|令牌|(?:api ?key|密钥|凭证|鉴权|认证)[^\n]{0,8}(?:无效|过期|失效|错误|失败|不正确|非法)|登录[^\n]{0,4}(?:失效|过期)|签名[^\n]{0,4}(?:错误|失败)|authfailure|secret ?(?:id|key)[ -~]{0,20}(?:not found|invalid|incorrect)|must provide (?:an |a |your |the )*(?:api[ _-]?key|token)|failed to refresh [ -~]{0,12}token|invalid_client\b|未授权|未登录|重新登录|请先登录"),
                Code("invalid_api_key"),
                Code("expiredtokenexception"),
                Code("unrecognizedclientexception"),
                Code("invalidsignatureexception"),
                Code("incompletesignature"),
                Code("signaturedoesnotmatch"),
                Code("invalidapikey"),
                Code("api_key_invalid"),
                Code("token_expired"),
                Code("token_invalidated"),
                Code("deactivated_workspace"),
                Code("account_deactivated"),
                Code("invalid_authentication_error"),
            ],
            &[
                r#"401 {"type":"error","error":{"type":"authentication_error","message":"OAuth token has expired. Please obtain a new token."}}"#,
                "api error: The API Key appears to be invalid or may have expired. Please verify your credentials and try again.",
                "401 invalid x-api-key",
                "No API key found for anthropic",
                "ExpiredTokenException: The security token included in the request is expired",
            ],
        )
        .unless(&[Says(
            "unexpected token|token ids? [0-9]|fetch failed|econnre|etimedout|enotfound|eai_again|socket hang",
        )]),
        Rule::new(
            "authentication.permission",
            "OpenAI, Anthropic, Google, AWS, Cloudflare blocks, regional refusals",
            &[
                Says(r"(?:do(?:es)? not|don't|doesn't) have (?:access|permission|the required|sufficient)|not (?:authorized|allowed|permitted|entitled) to|permission[ _]denied|access (?:is )?denied|insufficient permissions?|forbidden\b|requires? (?:a )?verif(?:ied|ication)|organization must be verified|sorry, you have been blocked|only (?:available|allowed) for|access to this (?:model|endpoint)"),
                Says(r"(?:country|region|territory|location)[ -~]{0,40}(?:not supported|unsupported|not available|not allowed)|unsupported[ _](?:country|region|location)|unavailable in your (?:country|region)|(?:account|organi[sz]ation|workspace|team) (?:has been |is )?(?:restricted|disabled|banned|blocked|terminated)|封禁|白名单|无权限?|没有权限|权限不足"),
                Code("permission_denied"),
                Code("accessdeniedexception"),
                Code("access_denied"),
                Code("unsupported_country_region_territory"),
            ],
            &[
                "403 permission_denied",
                "AccessDeniedException: You don't have access to the model with the specified model ID.",
                r#"403 {"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported"}}"#,
            ],
        )
        .unless(&[Code("model_not_found"), Says(r"does not exist|doesn't exist|not found or")]),
    ],
    kinds: &[
        ("authentication_error", "Anthropic, DeepSeek"),
        ("permission_error", "Anthropic"),
        ("unauthenticated", "Google"),
        ("autherror", "opencode"),
        ("authenticationerror", "LiteLLM"),
        ("permissiondeniederror", "LiteLLM"),
    ],
    statuses: &[401, 403, 407],
};
