/** A chunk of a stream as the `yaml` package parses it, with everything in it still text. */
import { Composer, Lexer, Parser, Schema, type CST, type Document, type YAMLError } from 'yaml';
import type { Checkpoint } from '../model';
import { maskTemplates } from './templates';
import { Tree } from './tree';

export type Unparsed = 'too deep' | 'too large';

/**
 * One tree a document, or why there is none. Mistakes in the YAML are no failure: what can be read of
 * it is read.
 */
export function treesOf(text: string, checkpoint?: Checkpoint): Tree[] | Unparsed {
  const masked = maskTemplates(text);
  try {
    const documents = documentsOf(masked.text, checkpoint);
    if (documents.some(isTooDeep)) return 'too deep';
    return documents.map(
      (document) => new Tree(document.contents, masked, soundUntil(document, text.length)),
    );
  } catch (error) {
    if (error instanceof TooManyError) return 'too large';
    if (error instanceof RangeError) return 'too deep';
    throw error;
  }
}

/** The same for who need not know why. */
export function parseChunk(text: string, checkpoint?: Checkpoint): Tree[] | undefined {
  const trees = treesOf(text, checkpoint);
  return typeof trees === 'string' ? undefined : trees;
}

/** Made once: for a small document it takes longer than the parsing. */
const SCHEMA = new Schema({ schema: 'failsafe', resolveKnownTags: false });

function documentsOf(text: string, checkpoint?: Checkpoint): Document.Parsed[] {
  const composer = new Composer({
    schema: SCHEMA,
    uniqueKeys: false,
    strict: false,
    logLevel: 'silent',
    prettyErrors: false,
  });
  return [...composer.compose(tokensOf(text, checkpoint))] as Document.Parsed[];
}

/** Lexemes between two checkpoints. */
const STRIDE = 1_000;

/** Of a document; the parser takes about half a kilobyte for each. */
const MOST_LEXEMES = 1_000_000;

class TooManyError extends Error {
  override readonly name = 'TooManyError';
}

/** As `Parser.parse`. */
function* tokensOf(text: string, checkpoint?: Checkpoint): Generator<CST.Token, void> {
  const parser = new Parser();
  let read = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++read % STRIDE === 0) checkpoint?.();
    if (read > MOST_LEXEMES) throw new TooManyError();
    yield* parser.next(lexeme);
  }
  yield* parser.end();
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

/** Where the first one stands; negative in a text without, as any is that was not opened by mistake. */
export function controlIn(text: string): number {
  return text.search(CONTROLS);
}
