/** Connections of the embedded server, less those reserved for the server itself and the command line. */
const embeddedPool = 45;

/** Returns the errors between variables. Reads the unparsed texts, so that they are reported together with the errors of single variables. */
export function crossErrors(given: Readonly<Record<string, string | undefined>>): string[] {
  const errors: string[] = [];
  const must = (holds: boolean, error: string) => {
    if (!holds) errors.push(error);
  };
  const has = (name: string) => given[name] !== undefined;
  const role = given['ROLE'] ?? 'all';
  const production = given['NODE_ENV'] === 'production';
  // A job that migrates needs only the database.
  const serves = production && role !== 'migrate';
  const pool = Number(given['DATABASE_POOL'] ?? 0);
  must(
    has('DATABASE_URL') || !(pool > embeddedPool),
    `DATABASE_POOL must be at most ${embeddedPool} with the embedded database`,
  );
  must(
    has('DATABASE_URL') || !has('DATABASE_ADMIN_URL'),
    'DATABASE_URL is required with DATABASE_ADMIN_URL: the program itself connects with it',
  );
  must(
    has('DATABASE_URL') || !has('DATABASE_REPLICA_URLS'),
    'DATABASE_URL is required with DATABASE_REPLICA_URLS: the replicas are standbys of that server',
  );
  must(has('TLS_CERT_FILE') === has('TLS_KEY_FILE'), 'TLS_CERT_FILE and TLS_KEY_FILE must be set together');
  must(!serves || has('MASTER_KEY'), 'MASTER_KEY is required in production: `openssl rand -base64 32` generates a key');
  must(!serves || has('PUBLIC_URL'), 'PUBLIC_URL is required in production: links in e-mails begin with it');
  errors.push(...operatorUrlErrors(given['OPERATOR_URL'], given['PUBLIC_URL']));
  must(
    has('MASTER_KEY') || !has('MASTER_KEY_PREVIOUS'),
    'MASTER_KEY is required with MASTER_KEY_PREVIOUS: it is the key that encrypts',
  );
  must(
    !has('MASTER_KEY') || given['MASTER_KEY'] !== given['MASTER_KEY_PREVIOUS'],
    'MASTER_KEY_PREVIOUS must differ from MASTER_KEY',
  );
  must(!serves || has('SMTP_URL'), 'SMTP_URL is required in production: the development mailbox does not exist there');
  must(
    has('CHAIN_ID') === has('CHAIN_NETWORK'),
    'CHAIN_ID and CHAIN_NETWORK must be set together, such as 137 and Polygon',
  );
  must(
    !has('CHAIN_RPC_URL') || has('CHAIN_ID'),
    'CHAIN_ID is required with CHAIN_RPC_URL: the node must be of that chain',
  );
  if (role !== 'all') {
    must(has('DATABASE_URL'), `DATABASE_URL is required with ROLE=${role}: all processes share one database`);
  }
  if (role !== 'all' && role !== 'migrate') {
    must(
      has('REDIS_URL'),
      `REDIS_URL is required with ROLE=${role}: the processes share events and rate limits through it`,
    );
    must(
      production || has('MASTER_KEY'),
      `MASTER_KEY is required with ROLE=${role}: the processes authenticate each other with it`,
    );
  }
  errors.push(...routerErrors(role, has));
  must(
    role !== 'gateway' || has('SUBGRAPH_URLS'),
    'SUBGRAPH_URLS is required with ROLE=gateway, such as accounts=http://host:port/graphql,…',
  );
  return errors;
}

function routerErrors(role: string, has: (name: string) => boolean): string[] {
  return [
    ...(has('ROUTER_JWKS_FILE') === has('ROUTER_ISSUER')
      ? []
      : [
          'ROUTER_JWKS_FILE and ROUTER_ISSUER must be set together: the keys of another router, and the issuer of its tokens',
        ]),
    ...(!has('ROUTER_JWKS_FILE') || role.startsWith('subgraph:')
      ? []
      : [
          'ROUTER_JWKS_FILE is for ROLE=subgraph:<name>: another router calls subgraphs that are processes of their own',
        ]),
  ];
}

/** Returns the errors of the operators' address. Cookies do not distinguish ports, and passkeys are bound to a host name: only another name separates the sites. */
function operatorUrlErrors(operators: string | undefined, home = 'http://localhost'): string[] {
  if (operators === undefined || !URL.canParse(operators) || !URL.canParse(home)) return [];
  const [own, open] = [new URL(operators), new URL(home)];
  return [
    ...(own.hostname === open.hostname ? ['OPERATOR_URL must have another host name than PUBLIC_URL'] : []),
    ...(own.pathname === '/' && own.search === '' && own.hash === ''
      ? []
      : ['OPERATOR_URL must be an address without a path, such as https://operacao.example.com']),
    ...(open.protocol === 'https:' && own.protocol !== 'https:'
      ? ['OPERATOR_URL must begin with https:// where PUBLIC_URL does']
      : []),
  ];
}
