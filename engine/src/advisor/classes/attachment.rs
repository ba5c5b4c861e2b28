//! Attachment: an image or a document in the conversation is rejected.

use super::super::class::Signal::{Code, Says};
use super::super::class::{Class, Consequence, Rule};

pub(super) const CLASS: Class = Class {
    id: "attachment",
    consequence: Consequence::Fatal,
    says: "an image or a document in the conversation is too large or cannot be processed",
    advice: "Part of the history is rejected, so every further request with it fails the same way. Do not read that file again as it is; \
             tell the user which attachment is rejected and that going back before it, or compacting, removes it.",
    advice_switched: "The rejected attachment may still be in the history; if this happens again, tell the user which one it is.",
    note_says_retry: false,
    rules: &[Rule::new(
        "attachment.rejected",
        "Anthropic, OpenAI, Gemini, Copilot",
        &[
            Says(
                r"image (?:exceeds|size|dimensions?|is too (?:large|big)|too large|cannot be|could not|data|format|does not|media type|parsing)|images? dimensions? exceed|(?:max|maximum) (?:allowed )?(?:size|dimensions?)[ -~]{0,40}image|too many images|(?:at most|only|up to|more than) [0-9]+ (?:images?|files?|documents?) (?:per|in|are|is|can)\b|could not process (?:the )?(?:image|pdf)|(?:invalid|unsupported|corrupt(?:ed)?) (?:base64 )?image",
            ),
            Says(
                r"image_url[ -~]{0,40}(?:invalid|not supported|unsupported|only supported)|maximum of [0-9]+ (?:pdf )?(?:pages|images)|pdf[ -~]{0,30}(?:too (?:large|many)|pages|password|invalid|not valid)|(?:does not|doesn't|not) support (?:image|vision|pdf|file|document|audio|video)|no endpoints found that support image|unable to (?:process|download|decode)[ -~]{0,20}(?:image|file|document)|(?:image|images|vision|audio|multimodal)(?: inputs?)? (?:are|is) not (?:supported|enabled)|not a multimodal model|unsupported mime type|invalid mime type|only image types|while downloading (?:the )?(?:url|image|file)|image length and width|不支持[^\n]{0,4}图|图[片像][^\n]{0,8}(?:过大|超|格式|无法|不支持|失败)|media[_ ]type[ -~]{0,40}(?:match|invalid|not supported|unsupported|image)",
            ),
            Code("invalid_image_format"),
            Code("image_too_large"),
            Code("image_parse_error"),
            Code("invalid_image"),
            Code("invalid_image_url"),
            Code("invalid_base64_image"),
        ],
        &[
            r#"400 {"type":"error","error":{"type":"invalid_request_error","message":"messages.3.content.1.image.source.base64: image exceeds 5 MB maximum: 7340032 bytes > 5242880 bytes"}}"#,
            "400 At least one of the image dimensions exceed max allowed size: 8000 pixels",
            "A maximum of 100 PDF pages may be provided.",
            "No endpoints found that support image input",
        ],
    )],
    kinds: &[],
    statuses: &[],
};
