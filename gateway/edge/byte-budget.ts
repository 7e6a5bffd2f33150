/** Limits the bytes that may be held at once: in total, and for each owner. */
export interface ByteBudget {
  /** Adds bytes of an owner, and returns the limit that is then exceeded: the owner's, or the total. The bytes are counted in any case. */
  add(owner: string, bytes: number): 'owner' | 'all' | undefined;
  /** Returns the limit that is exceeded before an owner adds anything. */
  over(owner: string): 'owner' | 'all' | undefined;
  /** Gives back bytes that were added. */
  remove(owner: string, bytes: number): void;
  /** The bytes that are held. */
  readonly held: number;
}

export function createByteBudget(bounds: { readonly all: number; readonly owner: number }): ByteBudget {
  const byOwner = new Map<string, number>();
  let held = 0;
  const over = (own: number) => {
    if (own > bounds.owner) return 'owner';
    return held > bounds.all ? 'all' : undefined;
  };
  return {
    get held() {
      return held;
    },
    add: (owner, bytes) => {
      const own = (byOwner.get(owner) ?? 0) + bytes;
      byOwner.set(owner, own);
      held += bytes;
      return over(own);
    },
    over: (owner) => over(byOwner.get(owner) ?? 0),
    remove: (owner, bytes) => {
      const own = (byOwner.get(owner) ?? 0) - bytes;
      if (own > 0) byOwner.set(owner, own);
      else byOwner.delete(owner);
      held -= bytes;
    },
  };
}
