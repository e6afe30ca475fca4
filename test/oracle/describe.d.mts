export const descriptorPath: string;
export function descriptorText(): string | undefined;
