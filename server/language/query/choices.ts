/** What may stand in places that take one of a few words. */
import type { SpotChoice } from '../model';

export const START_CHOICES: readonly SpotChoice[] = [
  { text: 'kubectl get', detail: 'pages to the end, as kubectl does' },
  { text: 'GET', detail: 'exactly this API request, as in an audit log' },
  { text: 'list', detail: 'exactly one LIST of a resource or a prefix of keys' },
];

export const MATCH_CHOICES: readonly SpotChoice[] = [
  { text: 'Exact', detail: 'read at exactly this version' },
  { text: 'NotOlderThan', detail: 'read at this version or a newer one' },
];

export const STREAM_CHOICES: readonly SpotChoice[] = [
  { text: 'auto', detail: 'as the API server chooses' },
  { text: 'on', detail: 'by RangeStream' },
  { text: 'off', detail: 'in pages' },
];

export const TRUTH_CHOICES: readonly SpotChoice[] = [
  { text: 'true', detail: '' },
  { text: 'false', detail: '' },
];

/** Parameters of a LIST, under their names in a URL and in `ListOptions`. */
export const PARAMETER_CHOICES: readonly SpotChoice[] = [
  { text: 'labelSelector', detail: 'which labels the objects have' },
  { text: 'fieldSelector', detail: 'which fields the objects have' },
  { text: 'limit', detail: 'at most so many objects' },
  { text: 'continue', detail: 'start where this continue token says' },
  { text: 'resourceVersion', detail: 'read at, or not before, this version' },
  { text: 'resourceVersionMatch', detail: 'Exact or NotOlderThan' },
  { text: 'watch', detail: 'a watch: its initial list is run' },
  { text: 'allowWatchBookmarks', detail: 'for a watch' },
  { text: 'sendInitialEvents', detail: 'for a watch' },
  { text: 'timeoutSeconds', detail: 'longest time of the request' },
  { text: 'pretty', detail: 'form of the output' },
];
