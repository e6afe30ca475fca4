/** A request's own values, as sentences name them. Texts of a request are made plain here. */
import { cellText } from '../kube/print/cellText';
import { isUnfiltered } from '../store/predicate';
import type { AskedList } from './asked';
import { resourceOf, type ListRequest } from './request';

/** Characters of one value beyond which a sentence leaves the middle out. */
const LONGEST_VALUE = 120;

/** Untrusted text, shortened. */
export function shown(text: string): string {
  const plain = cellText(text.length > 4 * LONGEST_VALUE ? text.slice(0, 4 * LONGEST_VALUE) : text);
  return plain.length <= LONGEST_VALUE ? plain : `${plain.slice(0, LONGEST_VALUE)}…`;
}

/** `LIST pods in web, labels app=nginx, limit 100`. */
export function requestLine(asked: AskedList): string {
  const { labelSelector, fieldSelector, limit, from, named } = asked;
  const limitWords = limit > 0n ? `limit ${limit}` : 'no limit';
  const parts = [
    `${named ? 'GET one of' : 'LIST'} ${shown(asked.resource)}${scopeWords(asked)}`,
    stated('labels', labelSelector),
    stated('fields', fieldSelector),
    named ? '' : limitWords,
    stated('resourceVersion', asked.resourceVersion),
    stated('match', asked.resourceVersionMatch),
    from.kind === 'beginning' ? '' : 'from a continue token',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const stated = (name: string, text: string): string =>
  text === '' ? '' : `${name} ${shown(text)}`;

function scopeWords({ resource, namespace, named }: AskedList): string {
  if (namespace !== '') return ` in ${shown(namespace)}`;
  const { namespaced } = resourceOf(resource);
  return named || resource.startsWith('/') || namespaced === false ? '' : ' in all namespaces';
}

/** The selectors, as one thing: `the selector app=nginx`. */
export function selectorWords({ asked }: ListRequest): string {
  const { labelSelector, fieldSelector } = asked;
  const both = [labelSelector, fieldSelector].filter((text) => text !== '').map(shown);
  return `the selector${both.length > 1 ? 's' : ''} ${both.join(' and ')}`;
}

export const isFiltered = ({ predicate }: ListRequest): boolean => !isUnfiltered(predicate);

/** `revision 84213`, or whose revision it is where it is not known. */
export function revisionWords({ from }: AskedList, revision: bigint): string {
  return from.kind === 'tokenOf' ? `the revision of ${shown(from.list)}` : `revision ${revision}`;
}

/** `1 object`, `2 objects`. */
export const counted = (count: bigint, noun: string): string =>
  `${count} ${noun}${count === 1n ? '' : 's'}`;
