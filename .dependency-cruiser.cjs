// Imports go down only: main.ts -> bootstrap -> interfaces -> gateway -> shared; a subgraph knows shared/ and nothing else.
const modules = [
  'main\\.ts',
  'bootstrap',
  'rest',
  'mcp',
  'apps',
  'cli',
  'gateway',
  'subgraphs',
  'demo',
  'tests',
  'bench',
  'scripts',
  'clients',
  'migrations\\.ts',
];
const tests = '(\\.test\\.ts$|(^|/)tests/|^bench/|^docs/)';

/** What a module may import besides itself and packages. Tests may import anything. */
function mayImport(module, ...allowed) {
  return {
    name: `${module}-imports-down`,
    comment: `${module}/ may import ${[module, ...allowed].join(', ')} alone.`,
    severity: 'error',
    from: { path: `^${module}/`, pathNot: tests },
    to: { path: `^(${modules.join('|')}|shared)(/|$)`, pathNot: `^(${[module, ...allowed].join('|')})/` },
  };
}

module.exports = {
  forbidden: [
    mayImport('shared'),
    mayImport('gateway', 'shared'),
    ...['rest', 'mcp', 'apps'].map((name) => mayImport(name, 'gateway', 'shared')),
    // The command line runs acts of the whole program, so it may open it.
    mayImport('cli', 'bootstrap', 'gateway', 'shared', 'subgraphs/[^/]+/import'),
    mayImport('bootstrap', 'rest', 'mcp', 'apps', 'gateway', 'subgraphs', 'demo', 'shared'),
    {
      name: 'subgraphs-know-shared-alone',
      comment: 'Two domains meet in the graph or through an event, never by import.',
      severity: 'error',
      from: { path: '^subgraphs/([^/]+)/', pathNot: tests },
      to: { path: `^(${modules.join('|')})(/|$)`, pathNot: '^subgraphs/($1|securities)/' },
    },
    {
      name: 'only-issued-securities-know-securities',
      comment:
        'subgraphs/securities/ is no subgraph: it holds what the three domains of issued securities mean by one word.',
      severity: 'error',
      from: { path: '^subgraphs/(?!issuances/|tokenization/|credit-assignment/|securities/)', pathNot: tests },
      to: { path: '^subgraphs/securities/' },
    },
    {
      name: 'the-client-knows-itself-alone',
      comment:
        'clients/typescript runs in browsers: it imports its own files and openapi-fetch, and no module of Node.',
      severity: 'error',
      from: { path: '^clients/typescript/src/' },
      to: { pathNot: '^clients/typescript/src/|node_modules/openapi-fetch/' },
    },
    {
      name: 'the-panel-runs-in-browsers',
      comment:
        'apps/panel imports itself, apps/design, packages, pure functions of shared/kernel/format, shared/kernel/clock.ts, tax-id.ts and calendar/days.ts, and the types of shared/registry.ts, and no module of Node.',
      severity: 'error',
      from: { path: '^apps/(panel|design/controls)/' },
      to: {
        pathNot:
          '^apps/(panel|design)/|^shared/kernel/format/csv-line\\.ts$|^shared/kernel/(clock|tax-id|calendar/days)\\.ts$|^shared/registry\\.ts$|node_modules',
        path: '.',
      },
    },
    {
      name: 'nobody-imports-an-entry-point',
      severity: 'error',
      from: {},
      to: { path: '^(main\\.ts|cli/main\\.ts|apps/panel/main\\.tsx)$' },
    },
    {
      name: 'no-cycles',
      comment: 'Types count too: what two files both need lies in a file below them.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-test-code-in-the-program',
      severity: 'error',
      from: { pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'no-development-packages-in-the-program',
      severity: 'error',
      from: { pathNot: `${tests}|^scripts/|\\.config\\.js$|\\.cjs$` },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      // The SDK, which the examples use, has to be built to be found.
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^@lastro/sdk$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(node_modules|dist|coverage)/|^\\.data|^bench/peer/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
