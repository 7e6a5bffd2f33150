import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { ConfirmDialog } from '../../design/controls/dialog.js';
import { SelectInput, TextInput } from '../../design/controls/fields.js';
import { FailureError, noResponse } from '../frame/failure.js';
import { decimal, language } from '../frame/language.js';
import { FailureNotice, Form, PageHead, textOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';
import {
  curlOf,
  requestOf,
  trialParameters,
  triedOperations,
  type TriedOperation,
  type TriedRequest,
} from './open-api.js';
import { developerTexts } from './texts.js';

/** Sends a request of the REST interface with a key of the reader's, as a program would. */
export function TryIt() {
  const { tryIt: text } = developerTexts.get();
  const { operation: chosen } = trialParameters(useSearch({ strict: false }));
  const navigate = useNavigate();
  const loading = useAction();
  const { run } = loading;
  const [operations, setOperations] = useState<readonly TriedOperation[]>([]);
  // The key stays in the memory of this page.
  const [key, setKey] = useState('');
  useEffect(() => {
    void run(async () => {
      const response = await fetch('/openapi.json').catch(() => undefined);
      if (response?.ok !== true) throw new FailureError(noResponse);
      setOperations(triedOperations(await response.json()));
    });
  }, [run]);
  const operation = operations.find(({ id }) => id === chosen) ?? firstRead(operations);
  const isUnknown = chosen !== undefined && operation !== undefined && operation.id !== chosen;
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <FailureNotice failure={loading.failure} />
      {isUnknown ? <p role="alert">{text.unknown}</p> : null}
      {operation === undefined ? null : (
        <>
          <div className="filter broad">
            <SelectInput
              name="operation"
              label={text.operation}
              value={operation.id}
              onChange={(id) => {
                void navigate({ to: '.', search: { operation: id }, replace: true });
              }}
              options={operations.map(({ id, method, path, tag }) => ({
                value: id,
                text: `${tag}: ${method} ${path}`,
              }))}
            />
          </div>
          <Trial key={operation.id} operation={operation} apiKey={key} onKey={setKey} />
        </>
      )}
    </>
  );
}

/** The operation to begin with: one that changes nothing. */
function firstRead(operations: readonly TriedOperation[]): TriedOperation | undefined {
  return operations.find(({ method }) => method === 'GET') ?? operations[0];
}

function Trial(props: {
  readonly operation: TriedOperation;
  readonly apiKey: string;
  readonly onKey: (key: string) => void;
}) {
  const { operation, apiKey, onKey } = props;
  const { tryIt: text } = developerTexts.get();
  const action = useAction();
  const [asked, setAsked] = useState<TriedRequest>();
  const [answer, setAnswer] = useState<Answer>();
  const trySend = (request: TriedRequest) => {
    setAsked(undefined);
    void action.run(async () => {
      setAnswer(await send(request, operation.needsKey ? apiKey.trim() : ''));
    });
  };
  return (
    <>
      <p>
        <span lang="en">{operation.summary}</span>.{' '}
        <a href={`${language.prefix}/docs/rest/${operation.id}`}>{text.reference}</a>
      </p>
      <Form
        action={action}
        fields={[]}
        label={text.title}
        onSubmit={(values) => {
          const body = operation.body === undefined ? undefined : textOf(values, 'body');
          const request = requestOf(operation, (name) => textOf(values, `parameter-${name}`).trim(), body);
          if (request.method === 'GET') trySend(request);
          else setAsked(request);
        }}
      >
        {operation.needsKey ? (
          <TextInput
            name="key"
            type="password"
            label={text.key}
            hint={text.keyHint}
            value={apiKey}
            onChange={onKey}
            autoComplete="off"
            isRequired
          />
        ) : null}
        <Inputs operation={operation} />
        <div className="acts">
          <Button kind="main" type="submit" isBusy={action.isBusy}>
            {text.send}
          </Button>
        </div>
      </Form>
      <Sure asked={asked} isBusy={action.isBusy} onClose={() => setAsked(undefined)} onSure={trySend} />
      {answer === undefined ? null : <AnswerPart answer={answer} needsKey={operation.needsKey} />}
    </>
  );
}

/** Asks before a request that changes data. */
function Sure(props: {
  readonly asked: TriedRequest | undefined;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onSure: (request: TriedRequest) => void;
}) {
  const { asked, isBusy, onClose, onSure } = props;
  const { tryIt: text } = developerTexts.get();
  if (asked === undefined) return null;
  return (
    <ConfirmDialog
      title={text.confirmTitle}
      isOpen
      act={text.send}
      cancel={frameTexts.get().cancel}
      isBusy={isBusy}
      onClose={onClose}
      onConfirm={() => onSure(asked)}
    >
      <p>{text.confirmText}</p>
      <p>
        <code>
          {asked.method} {asked.url}
        </code>
      </p>
    </ConfirmDialog>
  );
}

function Inputs({ operation: { parameters, body } }: { readonly operation: TriedOperation }) {
  const { tryIt: text } = developerTexts.get();
  return (
    <>
      {parameters.map(({ name, isRequired, description, example }) => (
        <TextInput
          key={name}
          name={`parameter-${name}`}
          label={name}
          hint={<span lang="en">{description}</span>}
          defaultValue={isRequired ? example : ''}
          autoComplete="off"
          isRequired={isRequired}
        />
      ))}
      {body === undefined ? null : (
        <TextInput name="body" label={text.body} defaultValue={body} rows={Math.min(20, body.split('\n').length + 1)} />
      )}
    </>
  );
}

function AnswerPart({ answer, needsKey }: { readonly answer: Answer; readonly needsKey: boolean }) {
  const { tryIt: text } = developerTexts.get();
  const { request, status, milliseconds, headers, body } = answer;
  return (
    <Section id="answer" title={text.answer}>
      <p role="status">
        <strong>{status}</strong> · {decimal(milliseconds)} ms
      </p>
      <pre className="code scroll" tabIndex={0}>
        {body}
      </pre>
      <details>
        <summary>{text.headers}</summary>
        <pre className="code" tabIndex={0}>
          {headers}
        </pre>
      </details>
      <details>
        <summary>curl</summary>
        <pre className="code" tabIndex={0}>
          {curlOf(request, location.origin, needsKey)}
        </pre>
      </details>
    </Section>
  );
}

/** What came back. */
interface Answer {
  readonly request: TriedRequest;
  readonly status: number;
  readonly milliseconds: number;
  readonly headers: string;
  readonly body: string;
}

/** Characters of a response that are shown. */
const mostShown = 100_000;

/** Sends a request without the session of the page: what comes back is what a program gets. */
async function send(request: TriedRequest, key: string): Promise<Answer> {
  const { method, url, body } = request;
  const begun = performance.now();
  const response = await fetch(url, {
    method,
    credentials: 'omit',
    cache: 'no-store',
    headers: {
      ...(key === '' ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  }).catch(() => undefined);
  if (response === undefined) throw new FailureError(noResponse);
  const received = await response.text();
  return {
    request,
    status: response.status,
    milliseconds: Math.round(performance.now() - begun),
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: shownOf(received),
  };
}

function shownOf(received: string): string {
  const { tryIt: text } = developerTexts.get();
  const pretty = /^\s*[[{]/.test(received) ? prettyOf(received) : received;
  return pretty.length > mostShown ? `${pretty.slice(0, mostShown)}\n… ${text.cut}` : pretty;
}

function prettyOf(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    // It only looks like JSON: it is shown as it came.
    return json;
  }
}
