/** A chunk of a stream as the `yaml` package parses it, with everything in it still text. */
import { Composer, Parser, type Document, type YAMLError } from 'yaml';
import { maskTemplates } from './templates';
import { Tree } from './tree';

/**
 * One tree a document; undefined for what is nested too deep. Mistakes in the YAML are no failure: what can be read of it
 * is read.
 */
export function parseChunk(text: string): Tree[] | undefined {
  const masked = maskTemplates(text);
  try {
    const documents = documentsOf(masked.text);
    if (documents.some(isTooDeep)) return undefined;
    return documents.map(
      (document) => new Tree(document.contents, masked, soundUntil(document, text.length)),
    );
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function documentsOf(text: string): Document.Parsed[] {
  const composer = new Composer({
    schema: 'failsafe',
    resolveKnownTags: false,
    uniqueKeys: false,
    strict: false,
    logLevel: 'silent',
    prettyErrors: false,
  });
  return [...composer.compose(new Parser().parse(text))] as Document.Parsed[];
}

function isTooDeep({ errors }: Document.Parsed): boolean {
  return errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION');
}

/** Faults after which the rest still stands where it seems to stand. */
const HARMLESS: ReadonlySet<YAMLError['code']> = new Set([
  'BAD_ALIAS',
  'BAD_DIRECTIVE',
  'DUPLICATE_KEY',
  'KEY_OVER_1024_CHARS',
  'TAG_RESOLVE_FAILED',
]);

function soundUntil({ errors }: Document.Parsed, length: number): number {
  return errors
    .filter((error) => !HARMLESS.has(error.code) && !isHalfTyped(error))
    .reduce((first, error) => Math.min(first, faultAt(error)), length);
}

/** A quote that is never closed is missed behind the text that it spoils, which is not sound either. */
function faultAt({ code, message, pos }: YAMLError): number {
  return code === 'MISSING_CHAR' && message.startsWith('Missing closing') ? pos[0] - 1 : pos[0];
}

/** A key that has no colon yet. */
function isHalfTyped({ code, message }: YAMLError): boolean {
  return code === 'MISSING_CHAR' && message.startsWith('Implicit map keys');
}

/** Go's library refuses a text with one of these, so Kubernetes never reads it. */
const CONTROLS = new RegExp(String.raw`[\0-\x08\x0b\x0c\x0e-\x1f]`);

/** No one could read it as YAML: a binary file that was opened by mistake. */
export function isUnreadable(text: string): boolean {
  return CONTROLS.test(text);
}
