import { parseArgs } from 'node:util';

/** The available measures, in the order in which they run. */
export const measures = {
  a: 'REST of one row ÷ hand-written Fastify and pg',
  b: 'GraphQL over HTTP ÷ stock Apollo Gateway in process',
  c: 'GraphQL over HTTP ÷ Hive Gateway before the subgraphs over HTTP',
  d: 'a query over two subgraphs, against both',
  e: 'start-up times and resident memory',
  f: 'the list of 1,000 operations at 50 requests a second',
  h: 'lists of 1,000,000 assets: filters, searches, near and far pages',
  j: 'deliveries of webhooks to receivers on loopback',
  l: 'a credit batch of 50,000 contracts, from the signed request to the assets',
  m: 'one attacker at a time beside other callers, and more requests than can be served',
  p: 'a query over four subgraphs: processor time of our gateway, Apollo Gateway and Hive Gateway',
};

const usage = `Usage: npm run bench -- [--only a,b] [--seconds 4] [--rounds 7] [--router name=command] [--write]

  --only     which measures to take (default: all)
${Object.entries(measures)
  .map(([letter, text]) => `               ${letter}  ${text}`)
  .join('\n')}
  --seconds  length of one sample of load (default: 4)
  --rounds   samples of each side, taken in turn (default: 7)
  --router   a native router on this machine for (p), as name=command; {file} and {port} in the command are replaced by the
             supergraph and the port at which it must serve /graphql; can be repeated (default: none)
  --write    put the table into bench/README.md (the default when everything is measured)
  --no-write do not`;

/** Parses the command line. Prints the usage and exits on --help and on invalid arguments. */
export function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      allowNegative: true,
      options: {
        only: { type: 'string' },
        seconds: { type: 'string', default: '4' },
        rounds: { type: 'string', default: '7' },
        router: { type: 'string', multiple: true, default: [] },
        write: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) end(0, usage);
    const only = new Set(values.only?.split(',') ?? Object.keys(measures));
    const unknown = [...only].filter((letter) => !(letter in measures));
    if (unknown.length > 0) throw new Error(`--only does not know ${unknown.join(', ')}`);
    return {
      only,
      seconds: whole('--seconds', values.seconds, 1, 60),
      rounds: whole('--rounds', values.rounds, 1, 50),
      routers: values.router.map(routerOf),
      write: values.write ?? values.only === undefined,
    };
  } catch (error) {
    return end(2, `${error.message}\n\n${usage}`);
  }
}

function routerOf(text) {
  const [, name, command] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (command === undefined) throw new Error('--router must have the form name=command');
  return { name, command };
}

function whole(name, text, min, max) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new Error(`${name} must be a whole number from ${min} to ${max}`);
  }
  return value;
}

function end(code, text) {
  (code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  process.exit(code);
}
