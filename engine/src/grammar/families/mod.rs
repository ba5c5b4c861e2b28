//! The ways of printing calls, one file each.

mod apertus;
mod bare_harmony;
mod bare_json;
mod bare_pythonic;
mod calling_tool;
mod cohere;
mod command_r;
mod deepseek_v3;
mod dsml;
mod function_call;
mod functools;
mod gemma4;
mod glm;
mod granite;
mod harmony;
mod hermes;
mod hunyuan;
mod internlm;
mod invoke;
mod kimi;
mod kimi_k3;
mod lfm2;
mod llama;
mod longcat;
mod minimax_m3;
mod minimax_text;
mod mistral;
mod nemotron;
mod olmo;
mod qwen;
mod qwen_coder;
mod seed;
mod steptml;

#[cfg(test)]
mod tests;

use super::Family;

/// Every family, by precedence: where two own one opener, the first that reads a block owns it.
///
/// `llama` stands before all that share `<function=`, `granite` before all that share `<tool_call>` and
/// `olmo` before all that share `<function_calls>`: they look for their own sign behind the opener and
/// leave the rest. `glm` stands behind the others of `<tool_call>`: any name may follow it there.
pub const FAMILIES: &[Family] = &[
    llama::FAMILY,
    granite::FAMILY,
    hermes::FAMILY,
    olmo::FAMILY,
    qwen::FAMILY,
    qwen_coder::FAMILY,
    seed::FAMILY,
    invoke::FAMILY,
    minimax_m3::FAMILY,
    dsml::FAMILY,
    steptml::FAMILY,
    hunyuan::FAMILY,
    glm::FAMILY,
    nemotron::FAMILY,
    internlm::FAMILY,
    function_call::FAMILY,
    kimi::FAMILY,
    deepseek_v3::FAMILY,
    kimi_k3::FAMILY,
    mistral::FAMILY,
    gemma4::FAMILY,
    harmony::FAMILY,
    cohere::FAMILY,
    command_r::FAMILY,
    lfm2::FAMILY,
    minimax_text::FAMILY,
    longcat::FAMILY,
    apertus::FAMILY,
    functools::FAMILY,
    calling_tool::FAMILY,
    bare_json::FAMILY,
    bare_pythonic::FAMILY,
    bare_harmony::FAMILY,
];
