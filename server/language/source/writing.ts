/** How new text is written where it is put. */
import { shellWord } from '../../common/shellWord';

/**
 * As it is; as a YAML scalar of its own, quoted where it would else be no string; between single or
 * double quotes of YAML that stand there already; percent-encoded; between a shell's single or double
 * quotes, or as a word of it; as a name, value or operator within a text that cannot hold any other
 * character for sure, as a plain scalar of YAML.
 */
export type Writing =
  | 'plain'
  | 'yaml'
  | 'yamlSingle'
  | 'yamlDouble'
  | 'percent'
  | 'shellSingle'
  | 'shellDouble'
  | 'shell'
  | 'word';

/** Undefined where the text cannot stand there in one line. */
export function written(text: string, writing: Writing): string | undefined {
  return /[\r\n]/.test(text) ? undefined : FORMS[writing](text);
}

const FORMS: Readonly<Record<Writing, (text: string) => string | undefined>> = {
  plain: (text) => text,
  yaml: (text) => (isPlainYaml(text) ? text : `'${text.replaceAll("'", "''")}'`),
  yamlSingle: (text) => text.replaceAll("'", "''"),
  yamlDouble: (text) => JSON.stringify(text).slice(1, -1),
  percent: percentEncoded,
  shellSingle: (text) => (text.includes("'") ? undefined : text),
  shellDouble: (text) => text.replace(/["\\$`]/g, '\\$&'),
  shell: shellWord,
  word: (text) => (WORD.test(text) ? text : undefined),
};

/** A name or value, an operator, or nothing. */
const WORD = /^(?:[\w./-]+(?::+[\w./-]+)*|[=!]+|[<>])?$/;

/** Letters first, nothing that YAML gives a meaning, and none of the words that are no strings. */
function isPlainYaml(text: string): boolean {
  return (
    /^[A-Za-z_/][\w./-]*$/.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(text)
  );
}

/** Also what a shell would take for itself; lone surrogates become U+FFFD. */
function percentEncoded(text: string): string {
  const whole = text.replace(/\p{Cs}/gu, '\ufffd');
  return encodeURIComponent(whole).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
