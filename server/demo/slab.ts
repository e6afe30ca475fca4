/**
 * Keeps many small byte strings in few large pieces of memory. Hundreds of thousands of pieces of
 * their own make every garbage collection slow.
 */
export class Slab {
  private memory = new Uint8Array(0);
  private used = 0;

  /** A copy, whose memory stays as long as anything else that was kept next to it. */
  keep(bytes: Uint8Array): Uint8Array {
    if (bytes.length > this.memory.length - this.used) {
      this.memory = new Uint8Array(Math.max(slabBytes, bytes.length));
      this.used = 0;
    }
    const kept = this.memory.subarray(this.used, this.used + bytes.length);
    kept.set(bytes);
    this.used += bytes.length;
    return kept;
  }
}

const slabBytes = 1024 * 1024;
