/** The Kubernetes versions whose decisions about lists were checked, and at which release. */
export const KUBERNETES_VERSIONS = [
  '1.30',
  '1.31',
  '1.32',
  '1.33',
  '1.34',
  '1.35',
  '1.36',
  '1.37',
] as const;

export type KubernetesVersion = (typeof KUBERNETES_VERSIONS)[number];

/** The version that this project reads etcd as. */
export const NEWEST_VERSION: KubernetesVersion = '1.37';

/** Of `k8s.io/apiserver`: the sources that were read, and whose functions were run. */
export const CHECKED_RELEASES: Readonly<Record<KubernetesVersion, string>> = {
  '1.30': 'v0.30.14',
  '1.31': 'v0.31.14',
  '1.32': 'v0.32.13',
  '1.33': 'v0.33.13',
  '1.34': 'v0.34.13',
  '1.35': 'v0.35.10',
  '1.36': 'v0.36.6',
  '1.37': 'v0.37.2',
};

/** `1.33`, `v1.33` and `v1.33.5-gke.100` name the same version. Undefined for any that was not checked. */
export function kubernetesVersion(text: string): KubernetesVersion | undefined {
  const named = /^v?(\d+\.\d+)(?:\.\d+)?(?:[-+][\w.+-]*)?$/.exec(text.trim())?.[1];
  return KUBERNETES_VERSIONS.find((version) => version === named);
}

/** What is wrong with a text that names none of them, going on from the text. */
export const NOT_OFFERED = `is none of the versions whose decisions were checked: ${KUBERNETES_VERSIONS.join(', ')}`;

export function isAtLeast(version: KubernetesVersion, other: KubernetesVersion): boolean {
  return KUBERNETES_VERSIONS.indexOf(version) >= KUBERNETES_VERSIONS.indexOf(other);
}
