/** The members of a query that is written in YAML. */
import type { OptionName } from './draft';

export interface YamlField {
  readonly name: string;
  readonly type: 'text' | 'whole' | 'truth';
  /** The option that it states; undefined for those that say something else. */
  readonly option: OptionName | undefined;
  readonly about: string;
}

function field(
  name: string,
  type: YamlField['type'],
  option: OptionName | undefined,
  about: string,
): YamlField {
  return { name, type, option, about };
}

export const YAML_FIELDS: readonly YamlField[] = [
  field('name', 'text', undefined, 'Name of the query, for {{name.continue}} in later ones.'),
  field('resource', 'text', undefined, 'A resource as kubectl names it, such as pods.'),
  field('prefix', 'text', undefined, 'A prefix of keys in place of a resource.'),
  field('namespace', 'text', 'namespace', 'One namespace; without it all are listed.'),
  field('labelSelector', 'text', 'labelSelector', 'Which labels the objects have.'),
  field('fieldSelector', 'text', 'fieldSelector', 'Which fields the objects have.'),
  field('limit', 'whole', 'limit', 'At most so many objects; without it all in one read.'),
  field('continue', 'text', 'continue', 'Start where this continue token says.'),
  field('resourceVersion', 'text', 'resourceVersion', 'Read at, or not before, this version.'),
  field('resourceVersionMatch', 'text', 'resourceVersionMatch', 'Exact or NotOlderThan.'),
  field('watch', 'truth', 'watch', 'A watch: its initial list is run.'),
  field('allowWatchBookmarks', 'truth', undefined, 'For a watch; has no effect here.'),
  field('sendInitialEvents', 'truth', 'sendInitialEvents', 'For a watch.'),
  field('timeoutSeconds', 'whole', 'timeoutSeconds', 'Has no effect here.'),
  field('follow', 'truth', undefined, 'With a limit: go on through all continue tokens.'),
];
