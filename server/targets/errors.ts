/** A resource that cannot be listed by its name. The message is for a person and holds no controls. */
export class TargetError extends Error {
  override readonly name = 'TargetError';

  constructor(
    readonly kind: 'unknownResource' | 'unreadableDefinition',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
