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
  if (/[\r\n]/.test(text)) return undefined;
  switch (writing) {
    case 'plain':
      return text;
    case 'yaml':
      return isPlainYaml(text) ? text : `'${text.replaceAll("'", "''")}'`;
    case 'yamlSingle':
      return text.replaceAll("'", "''");
    case 'yamlDouble':
      return JSON.stringify(text).slice(1, -1);
    case 'percent':
      return percentEncoded(text);
    case 'shellSingle':
      return text.includes("'") ? undefined : text;
    case 'shellDouble':
      return text.replace(/["\\$`]/g, '\\$&');
    case 'shell':
      return shellWord(text);
    case 'word':
      return /^(?:[\w./-]+(?::+[\w./-]+)*|[=!]+|[<>])?$/.test(text) ? text : undefined;
  }
}

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
