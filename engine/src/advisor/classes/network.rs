//! Network: the connection failed, timed out or was cut.

use super::super::class::Signal::{Code, RequestFault, Says};
use super::super::class::{Class, Consequence, Rule};

pub(super) const CLASS: Class = Class {
    id: "network",
    consequence: Consequence::Transient,
    says: "the connection to the provider failed, timed out or was cut",
    advice: "Nothing was wrong with the request: retry the same approach. An answer that was cut may be incomplete; check what was done before repeating it.",
    advice_switched: "The connection was to the earlier provider; continue with the same approach.",
    note_says_retry: true,
    rules: &[Rule::new(
        "network.cut",
        "Node's undici and sockets, Bun, Python clients, pi-ai's own stream checks, codex",
        &[
            Says(r"fetch failed|error sending request|recv failure|send failure|unexpected event order|\beof\b|failed to fetch|socket (?:hang ?up|connection|closed|disconnected|timeout|error)|other side closed|premature close|prematurely|\bterminated(?:\n|$)|(?:^|[:)\n])\W*terminated\b|(?:connection|connect|network|transport|tls|ssl)[ _]?(?:error|lost|refused|reset|closed|aborted|timed? ?out|timeout|failed|failure|terminated|was (?:closed|reset|lost)|interrupted|dropped|broken)|unable to connect|(?:could not|failed to|cannot|can't) (?:connect|reach)|broken pipe|\bdns\b|getaddrinfo|name resolution|no such host|hpe_invalid_[a-z_]+|parse error: expected http|network (?:is )?(?:unreachable|down|changed)|no route to host|\bnet::err_(?:[abd-z]|c[^e])[a-z_]+|(?:server|peer|remote(?: end)?) (?:disconnected|closed|hung up)|decoding response body|(?:stream|connection) reset|finished unexpectedly|handshake fail|bad record mac|rst_stream|no connection established|\bload failed\b|network request failed|appears to be offline|resolve host|hostname could not|unable to reach|operation was aborted|no content returned|no output generated|unable to get (?:a )?response"),
            Says(r"网络(?:错误|异常|不稳定|波动|中断|连接)|连接[^\n]{0,4}(?:超时|失败|中断|重置|断开)|超时|タイムアウト|시간 초과"),
            Says(r"\btimed? ?out\b|(?:request|gateway|read|connect|response|headers?|body|idle|operation|a|api|stream|inference) timeout|timeout (?:of|after|exceeded|error|waiting|occurred)|(?m:^\W*timeout\W*$)|deadline exceeded|request to \S+ failed, reason"),
            Says(r"(?:stream|response|connection|reply|body)[ -~]{0,40}(?:ended|interrupted|disconnected|closed|cut|canceled|cancelled|truncated|incomplete|stalled)|(?:ended|completed|closed|finished) (?:without|before)|no (?:terminal|completion) event|incomplete chunked read|peer closed|incomplete (?:json|read|message|response)|websocket|http/?2(?: [^0-9]|[^0-9. ]|$)|goaway|unexpected end of (?:json|stream|file|input)|cut short|did not get a response|connection[ _]?error|no response (?:received|from)|empty (?:response|reply)|stream_read_error|content decoding|chunked"),
            Says(r"\b(?:econnreset|econnaborted|econnrefused|etimedout|epipe|eproto|enotfound|eai_again|enetunreach|ehostunreach|enetdown|econnclosed|und_err_[a-z_]+|err_stream_premature_close|err_http2_[a-z_]+)\b"),
            Code("timeouterror"),
            Code("apiconnectionerror"),
            Code("apitimeouterror"),
            Code("connecttimeout"),
            Code("readtimeout"),
            Code("timeout"),
            Code("modeltimeoutexception"),
            Code("deadline_exceeded"),
            Code("unknownhostexception"),
            Code("sockettimeoutexception"),
            Code("noroutetohostexception"),
        ],
        &[
            "fetch failed",
            "terminated",
            "read ECONNRESET",
            "getaddrinfo ENOTFOUND api.example.com",
            "stream ended before message_stop",
            "stream disconnected before completion: transport",
            "Request timed out.",
            "peer closed connection without sending complete message body (incomplete chunked read)",
            "Unexpected end of JSON input",
        ],
    )
    .unless(&[RequestFault, Says("max_output_tokens")])],
    kinds: &[("timeout_error", "Anthropic"), ("timeout", "LiteLLM")],
    statuses: &[408, 425, 499, 504],
};
