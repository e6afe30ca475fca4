/** A selector as other tools take it, to be copied. */
import { untrustedShellWord } from '../../common/shellWord';
import { parseLabelSelector, parseLabelSelectorObject, SelectorError } from '../../kube/selectors';
import type { SelectorSite } from '../model';
import { written } from '../source/writing';
import { objectLines } from './objectLines';

export interface Copy {
  readonly title: string;
  readonly text: string;
}

/** None for an empty selector, alternatives, and one that is not whole. */
export function copiesOf({ form, selects }: SelectorSite): Copy[] {
  const [only, ...others] = selects ?? [];
  if (only === undefined || others.length > 0) return [];
  const { fields } = only;
  const labels = canonical(only.labels);
  if (labels === '' && fields === '') return [];
  const object = form === 'text' && labels !== '' ? objectText(labels) : undefined;
  return [
    ...(form === 'text' || labels === '' ? [] : [{ title: 'Copy as one text', text: labels }]),
    ...(object === undefined
      ? []
      : [{ title: 'Copy as matchLabels and matchExpressions', text: object }]),
    { title: 'Copy for kubectl', text: flags(labels, fields) },
    { title: 'Copy for a URL', text: parameters(labels, fields) },
  ];
}

/** As the API server prints it, whatever blanks it was written with. */
function canonical(labels: string): string {
  try {
    return parseLabelSelector(labels).toString();
  } catch (error) {
    if (error instanceof SelectorError) return labels;
    throw error;
  }
}

function flags(labels: string, fields: string): string {
  return [
    ...(labels === '' ? [] : [`-l ${untrustedShellWord(labels)}`]),
    ...(fields === '' ? [] : [`--field-selector ${untrustedShellWord(fields)}`]),
  ].join(' ');
}

function parameters(labels: string, fields: string): string {
  return [
    ...(labels === '' ? [] : [`labelSelector=${written(labels, 'percent') ?? ''}`]),
    ...(fields === '' ? [] : [`fieldSelector=${written(fields, 'percent') ?? ''}`]),
  ].join('&');
}

function objectText(labels: string): string | undefined {
  try {
    const lines = objectLines(parseLabelSelectorObject(labels));
    return lines && [...lines, ''].join('\n');
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}
