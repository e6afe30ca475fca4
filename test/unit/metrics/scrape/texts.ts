/** Texts of metrics as API servers of each form write them. */
import type { Dialect } from '../../../../server/metrics/scrape/families';
import type { Scrape } from '../../../../server/metrics/scrape/model';
import { ScrapeReader } from '../../../../server/metrics/scrape/reader';

export interface Resource {
  readonly group: string;
  readonly resource: string;
  readonly lists: number;
  readonly fetched: number;
  readonly evaluated: number;
  readonly returned: number;
  readonly requests: number;
  readonly seconds: number;
}

export const PODS: Resource = {
  group: '',
  resource: 'pods',
  lists: 20,
  fetched: 254_000,
  evaluated: 198_020,
  returned: 2000,
  requests: 140,
  seconds: 7.5,
};

export const DEPLOYMENTS: Resource = {
  group: 'apps',
  resource: 'deployments',
  lists: 4,
  fetched: 4000,
  evaluated: 4000,
  returned: 4000,
  requests: 4,
  seconds: 0.25,
};

function labelsOf({ group, resource }: Resource, dialect: Dialect, named = 'resource'): string {
  const whole = group === '' ? resource : `${resource}.${group}`;
  if (dialect === 'resource') return `${named}="${whole}"`;
  return `group="${group}",resource="${resource}"`;
}

const STORAGE = 'apiserver_storage_list';

/** The families in the order in which a registry writes them. */
export function textOf(dialect: Dialect, resources: readonly Resource[], extra = ''): string {
  const list = (name: string, index: boolean, value: (of: Resource) => number): string => {
    const more = `${index ? ',index=""' : ''},storage="etcd"`;
    const lines = resources.map(
      (of) =>
        `${STORAGE}_${name}{${labelsOf(of, dialect)}${dialect === 'storage' ? more : ''}} ${value(of)}`,
    );
    return [
      `# HELP ${STORAGE}_${name} [ALPHA] x`,
      `# TYPE ${STORAGE}_${name} counter`,
      ...lines,
    ].join('\n');
  };
  const requests = resources.flatMap((of) => {
    const labels = `operation="list",${labelsOf(of, dialect, 'type')}`;
    const name = 'etcd_request_duration_seconds';
    return [
      `${name}_bucket{${labels},le="0.005"} ${of.requests - 1}`,
      `${name}_bucket{${labels},le="+Inf"} ${of.requests}`,
      `${name}_sum{${labels}} ${of.seconds}`,
      `${name}_count{${labels}} ${of.requests}`,
    ];
  });
  return [
    list('evaluated_objects_total', false, ({ evaluated }) => evaluated),
    list('fetched_objects_total', true, ({ fetched }) => fetched),
    list('returned_objects_total', false, ({ returned }) => returned),
    list('total', true, ({ lists }) => lists),
    '# TYPE etcd_request_duration_seconds histogram',
    ...requests,
    '# TYPE go_goroutines gauge',
    'go_goroutines 1234',
    extra,
  ]
    .filter((line) => line !== '')
    .join('\n')
    .concat('\n');
}

/** Read in pieces of that many characters. */
export function read(text: string, source = 'a.txt', piece = text.length): Scrape {
  const reader = new ScrapeReader(source);
  for (let at = 0; at < text.length; at += piece) reader.push(text.slice(at, at + piece));
  return reader.end();
}
