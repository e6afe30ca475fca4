export type EtcdVersion = '3.4' | '3.6' | '3.7';
export const etcdVersions: readonly EtcdVersion[];
export function cacheDir(): string;
export function cachedBinary(version: EtcdVersion): string;
export function moduleDir(version: EtcdVersion): string | undefined;
export function pinnedRelease(version: EtcdVersion): string | undefined;
export function releaseOf(binary: string): string | undefined;
export function findEtcd(version: EtcdVersion): string | undefined;
