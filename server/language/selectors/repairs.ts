/** What people write in place of a label selector, and how Kubernetes would have it. */
import type { DetailedLabelSelector, SelectorError } from '../../kube/selectors';
import { parseLabelSelectorDetailed } from '../../kube/selectors';
import type { Edit } from '../findings';
import { withEdits } from '../source/edits';

/** Edits of the selector's own text, in order. */
export interface Repair {
  readonly title: string;
  readonly edits: readonly Edit[];
}

type Propose = (text: string, error: SelectorError, parsed: DetailedLabelSelector) => Repair[];

/** Repairs after which the text parses, or parses further than it did; the best first. */
export function repairsOf(text: string, parsed: DetailedLabelSelector): Repair[] {
  const { error } = parsed;
  if (error === null || text.length > LONGEST) return [];
  const seen = new Set<string>([text]);
  const helping: { readonly repair: Repair; readonly whole: boolean }[] = [];
  for (const repair of PROPOSALS.flatMap((propose) => propose(text, error, parsed))) {
    const repaired = withEdits(text, repair.edits);
    if (seen.has(repaired)) continue;
    seen.add(repaired);
    const still = parseLabelSelectorDetailed(repaired).error;
    const grown = repaired.length - text.length;
    if (still === null || still.span.start - grown > error.span.start) {
      helping.push({ repair, whole: still === null });
    }
  }
  return helping.sort((a, b) => Number(b.whole) - Number(a.whole)).map(({ repair }) => repair);
}

/** Longer texts were written by no person. */
const LONGEST = 10_000;

function replaceAll(title: string, text: string, pattern: RegExp, by: string): Repair[] {
  const edits = [...text.matchAll(pattern)].map((match) => ({
    span: { start: match.index, end: match.index + match[0].length },
    text: by.replace('$1', match[1] ?? ''),
  }));
  return edits.length === 0 ? [] : [{ title, edits }];
}

/** One replacement at the place of the error, of what the pattern finds around it. */
function replaceAt(
  title: string,
  text: string,
  { span }: SelectorError,
  pattern: RegExp,
  by: (match: RegExpExecArray) => string,
): Repair[] {
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (match.index <= span.end && end >= span.start) {
      return [{ title, edits: [{ span: { start: match.index, end }, text: by(match) }] }];
    }
  }
  return [];
}

const quotes: Propose = (text) =>
  replaceAll(
    'Remove the quotes',
    text,
    // Between two letters it is an apostrophe.
    /["`\u2018\u201c\u201d]|(?<!\p{L})['\u2019]|['\u2019](?!\p{L})/gu,
    '',
  );

const blanks: Propose = (text) =>
  replaceAll('Use plain blanks', text, /[\u00a0\u2000-\u200b\u3000\ufeff]/gu, ' ');

const wordOperators: Propose = (text) => [
  ...replaceAll('Write notin as one word', text, /\bnot\s+in\b(?=\s*\()/gi, 'notin'),
  ...replaceAll('Write in in small letters', text, /\bin\b(?=\s*\()/gi, 'in'),
  ...replaceAll('Write notin in small letters', text, /\bnotin\b(?=\s*\()/gi, 'notin'),
];

const separators: Propose = (text) => [
  ...replaceAll(
    'Separate requirements by commas',
    text,
    /(?:(?<!\s)\s+)?(?:&&?|;|\band\b)\s*/gi,
    ',',
  ),
  ...replaceAll('Remove the comma', text, /^\s*,+|,+\s*$|,+(?=,)/g, ''),
];

const symbols: Propose = (text) => [
  ...replaceAll('Write =', text, /(?:(?<!\s)\s+)?(?::(?!\/)|===|=>)\s*/g, '='),
  ...replaceAll('Write !=', text, /(?:(?<!\s)\s+)?(?:<>|!==|=!|~=)\s*/g, '!='),
  ...replaceAll('Write !=', text, /!\s*([\w./-]+)\s*={1,2}/g, '$1!='),
  ...replaceAll('Write ! before the key', text, /\bnot\s+(?!in\b)/gi, '!'),
];

const lists: Propose = (text, error) => [
  ...replaceAll('Write notin', text, /(?:(?<!\s)\s+)?!=\s*\(/g, ' notin ('),
  ...replaceAll('Write in', text, /(?:(?<!\s)\s+)?(?<!!)={1,2}\s*\(/g, ' in ('),
  ...replaceAt(
    'Put the values in parentheses',
    text,
    error,
    /\b((?:not)?in)\s+([\w.-]+(?:\s*,\s*[\w.-]+(?=\s*(?:,|$)))*)/g,
    ([, operator = '', values = '']) => `${operator} (${values})`,
  ),
  ...replaceAll('Write parentheses', text, /[[{]([^\]})]*)[\]}]/g, '($1)'),
  ...(error.span.start >= text.trimEnd().length
    ? [{ title: 'Close the parenthesis', edits: [{ span: error.span, text: ')' }] }]
    : []),
];

/** Whole numbers: at least five is more than four. */
const bounds: Propose = (text, error) => [
  ...replaceAt('Write it with >', text, error, />\s*=\s*(-?\d{1,17})\b/g, ([, bound = '']) => {
    return `>${BigInt(bound) - 1n}`;
  }),
  ...replaceAt('Write it with <', text, error, /<\s*=\s*(-?\d{1,17})\b/g, ([, bound = '']) => {
    return `<${BigInt(bound) + 1n}`;
  }),
];

const keys: Propose = (text, error) => [
  ...replaceAt(
    'Write the prefix in small letters',
    text,
    error,
    /[A-Za-z0-9.-]+(?=\/)/g,
    ([prefix]) => prefix.toLowerCase(),
  ),
  ...replaceAt(
    'Ask for the key alone, with any value',
    text,
    error,
    /(?:(?<!\s)\s+)?={1,2}\s*\*/g,
    () => '',
  ),
];

const missingComma: Propose = (_text, { span, message }) =>
  message.includes("expected: ','")
    ? [
        {
          title: 'Put a comma before it',
          edits: [{ span: { start: span.start, end: span.start }, text: ',' }],
        },
      ]
    : [];

const PROPOSALS: readonly Propose[] = [
  quotes,
  blanks,
  wordOperators,
  symbols,
  separators,
  lists,
  bounds,
  keys,
  missingComma,
];
