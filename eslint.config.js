import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const pause = `AwaitExpression > :matches(${[
  'CallExpression[callee.name=/^(sleep|delay|setImmediate)$/]',
  "CallExpression[callee.property.name='waitForTimeout']",
  "NewExpression[callee.name='Promise']:has(Identifier[name=/^set(Timeout|Immediate)$/])",
].join()})`;
/** What goes on until a flag says that it is over works, and does not wait. */
const byFlag =
  ":matches([test.type='Identifier'], [test.argument.type='Identifier'], [test.argument.property.name='aborted'])";
const handMadeWait = [
  `:matches(WhileStatement, DoWhileStatement, ForStatement[test=null]):not(${byFlag}) ${pause}`,
  `:matches(WhileStatement, ForStatement) > ExpressionStatement.body > ${pause}`,
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      'clients/typescript/src/generated/',
      'node_modules/',
      '.data*/',
      'bench/peer/',
      '**/*.mjs',
      '**/*.cjs',
      '**/*.js',
    ],
  },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read configuration through shared/kernel/config.ts.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.property.name='query']:matches([callee.object.name='manager'], [callee.object.property.name='manager'])",
          message: 'Use rows, row, one or execute of shared/database/manager.ts, whose results are typed.',
        },
      ],
      // A callback whose value nobody reads needs no block around one call. Visitors of graphql-js do: what they return is an edit.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreVoidReturningFunctions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // Index signatures are read with brackets: tsconfig's noPropertyAccessFromIndexSignature asks for it.
      '@typescript-eslint/dot-notation': 'off',
      // Recurses without end on the types of graphql-js, which contain themselves, and takes the whole run down.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      'max-lines-per-function': ['error', { max: 120, skipBlankLines: true, skipComments: true }],
      'max-lines': ['error', { max: 450, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // The router takes a redirect as something that is thrown.
    files: ['apps/panel/**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/only-throw-error': [
        'error',
        { allow: [{ from: 'package', package: '@tanstack/router-core', name: 'Redirect' }], allowRethrowing: true },
      ],
    },
  },
  {
    // One text for each key: to part them would hide which page a text belongs to.
    files: ['apps/site/messages/*.ts', 'apps/panel/*/messages/*.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    files: ['shared/kernel/config.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['**/*.test.ts', 'tests/**/*.ts', '**/migrations/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      'max-lines': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-syntax': 'off',
    },
  },
  {
    files: ['**/*.test.ts', 'tests/**/*.ts'],
    ignores: ['tests/kit/until.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: `:matches(${handMadeWait.join()})`,
          message: 'Wait by until of tests/kit/until.ts: it ends, and says what it waited for.',
        },
      ],
    },
  },
);
