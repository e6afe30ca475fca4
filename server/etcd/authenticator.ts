/** Keeps the one token of a connection. etcd's tokens hold for the whole cluster. */

export interface AuthConfig {
  readonly username: string;
  readonly password: string;
}

export interface Authenticator {
  /** The token to send; undefined when the server has authentication switched off. */
  token(): Promise<string | undefined>;
  /** A token in place of `refused`, shared by all calls that were refused with it. */
  renew(refused: string | undefined): Promise<string | undefined>;
}

/** Calls at the same time share one authentication; a failed one is not remembered. */
export function createAuthenticator(
  authenticate: () => Promise<string | undefined>,
): Authenticator {
  let pending: Promise<string | undefined> | undefined;
  let known: { readonly token: string | undefined } | undefined;

  const start = async (): Promise<string | undefined> => {
    try {
      const token = await authenticate();
      known = { token };
      return token;
    } finally {
      pending = undefined;
    }
  };
  const token = (): Promise<string | undefined> => {
    if (known !== undefined) return Promise.resolve(known.token);
    pending ??= start();
    return pending;
  };
  return {
    token,
    renew: (refused) => {
      if (known?.token === refused) known = undefined;
      return token();
    },
  };
}
