/** Pods as an API server with JSON storage keeps them, for tests that write to a real etcd. */
export interface PodInput {
  readonly namespace?: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export function pod({
  namespace = 'web',
  name,
  labels = {},
  annotations,
}: PodInput): readonly [string, string] {
  const metadata = {
    name,
    namespace,
    uid: `uid-of-${name}`,
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels,
    ...(annotations && { annotations }),
  };
  const object = { kind: 'Pod', apiVersion: 'v1', metadata, spec: { nodeName: 'node-1' } };
  return [`/registry/pods/${namespace}/${name}`, JSON.stringify(object)];
}

/** `count` Pods in the order of their keys; one in a hundred has the label app=nginx. */
export function* pods(count: number): Generator<readonly [string, string]> {
  for (let i = 0; i < count; i++) {
    const name = `pod-${String(i).padStart(6, '0')}`;
    yield pod({ name, labels: { app: i % 100 === 99 ? 'nginx' : 'other' } });
  }
}
