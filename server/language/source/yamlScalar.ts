/** The text of a scalar with the place of each character, through quotes, escapes and folded lines. */
import type { Scalar } from 'yaml';
import type { Span } from '../../kube/selectors';
import { coarselyMapped, plainlyMapped, type MappedText } from './mappedText';
import { blockText } from './yamlBlock';
import { flowText } from './yamlFlow';

/**
 * `document` is the text that was parsed, templates masked; `value` is what the scalar was read as, of
 * a number or truth value its text. Where the places cannot be told, which no sound YAML brings about,
 * the whole scalar stands for each.
 */
export function scalarText(
  { range, type }: Scalar,
  document: string,
  value: string,
): MappedText | undefined {
  if (range === null || range === undefined) return undefined;
  const span: Span = { start: range[0], end: range[1] };
  const written = document.slice(span.start, span.end);
  if (type === 'PLAIN' && written === value) return plainlyMapped(value, span.start, 'yaml');
  const mapped = mappedBy(type, written, span.start, value);
  return mapped?.text === value ? mapped : coarselyMapped(value, span);
}

function mappedBy(
  type: Scalar['type'],
  written: string,
  start: number,
  value: string,
): MappedText | undefined {
  switch (type) {
    case 'PLAIN':
    case 'QUOTE_SINGLE':
    case 'QUOTE_DOUBLE':
      return flowText(written, start, type);
    case 'BLOCK_LITERAL':
    case 'BLOCK_FOLDED':
      return blockText(written, start, type === 'BLOCK_FOLDED', value);
    default:
      return undefined;
  }
}
