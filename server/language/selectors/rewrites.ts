/** Other ways to write a label selector as one text, each of which means the same. */
import {
  parseLabelSelectorDetailed,
  type DetailedLabelSelector,
  type WrittenLabelRequirement,
} from '../../kube/selectors';
import { canonical } from './meaning';

export interface Rewrite {
  readonly title: string;
  /** All of the selector. */
  readonly text: string;
}

/** Longer ones were written by no person. */
const LONGEST = 10_000;

/** Of the requirement at a place in the text, and of the whole. None where it is not valid. */
export function rewritesAt(text: string, at: number): Rewrite[] {
  if (text.length > LONGEST) return [];
  const parsed = parseLabelSelectorDetailed(text);
  if (parsed.error !== null || parsed.requirements.length === 0) return [];
  const { requirements } = parsed;
  const here = requirements.find(({ span }) => span.start <= at && at <= span.end);
  const proposed = [
    ...(here === undefined ? [] : operatorRewrites(text, here)),
    { title: 'Remove the blanks', text: requirements.map(compact).join(',') },
  ];
  const meant = meaning(parsed);
  return proposed.filter((each) => {
    const isNew = each.text !== text.trim();
    return isNew && meaning(parseLabelSelectorDetailed(each.text)) === meant;
  });
}

/** Undefined where it is not valid. */
function meaning({ error, requirements }: DetailedLabelSelector): string | undefined {
  if (error !== null) return undefined;
  const all = requirements.flatMap(({ requirement }) => requirement ?? []);
  return all.map(canonical).sort().join();
}

function operatorRewrites(text: string, written: WrittenLabelRequirement): Rewrite[] {
  const { key, operator, requirement, span } = written;
  const [value = '', ...others] = requirement?.values ?? [];
  if (key === null || operator === null || others.length > 0) return [];
  const before = text.slice(0, span.start);
  const behind = text.slice(span.end);
  return formsFor(operator.name).map(({ sign, isList }) => ({
    title: `Write it with ${sign}`,
    text: `${before}${key.text}${isList ? ` ${sign} (${value})` : sign + value}${behind}`,
  }));
}

interface OperatorForm {
  readonly sign: string;
  /** Its values stand in parentheses. */
  readonly isList: boolean;
}

const EQUAL: OperatorForm = { sign: '=', isList: false };
const IN: OperatorForm = { sign: 'in', isList: true };

function formsFor(operator: string): readonly OperatorForm[] {
  switch (operator) {
    case '=':
      return [IN];
    case '==':
      return [EQUAL, IN];
    case 'in':
      return [EQUAL];
    case '!=':
      return [{ sign: 'notin', isList: true }];
    case 'notin':
      return [{ sign: '!=', isList: false }];
    default:
      return [];
  }
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['gt', '>'],
  ['lt', '<'],
]);

function compact({ key, operator, values }: WrittenLabelRequirement): string {
  const name = key?.text ?? '';
  const texts = values.map(({ text }) => text).join(',');
  const sign = operator?.name ?? 'exists';
  switch (sign) {
    case 'exists':
      return name;
    case '!':
      return `!${name}`;
    case 'in':
    case 'notin':
      return `${name} ${sign} (${texts})`;
    default:
      return name + (SIGNS.get(sign) ?? sign) + texts;
  }
}
