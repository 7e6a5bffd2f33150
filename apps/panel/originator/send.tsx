import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, SelectInput, type Option } from '../../design/controls/controls.js';
import { decimal, language, money } from '../frame/language.js';
import { FileInput, fromDisk, packed, UploadProgress, type Progress } from '../frame/file-input.js';
import { FailureNotice, Form, Loaded, PageHead, Said } from '../frame/parts.js';
import { useAction, useQuery, type Action } from '../frame/use-graph.js';
import {
  filePaths,
  formatOf,
  templates,
  usual,
  type FileCheck,
  type FileFormat,
  type FileKind,
  type FileCheckError,
} from './file-kind.js';
import { ColumnsTable, columnsIn, renamed, type CsvColumns } from '../frame/csv-columns.js';
import { graph, type Operations } from './graph/operations.js';
import { originatorTexts } from '../texts.js';
import { noteNoResponse, noteResponse } from '../frame/connection.js';
import { FailureError, failureOf, noResponse, detailText, failureText, objectIn } from '../frame/failure.js';
import { noted, Section, Stats, Table, type Column } from '../../design/basics.js';
import { saveFile } from '../frame/save-file.js';
import { fieldText, numbered, Rejection, Rule } from './batch-parts.js';

type Originator = Operations['originators']['data']['myOriginators'][number];

export function Send() {
  const { send: text } = originatorTexts.get();
  const query = useQuery(graph, 'originators', {});
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <Loaded query={query}>
        {({ myOriginators }) =>
          myOriginators.length === 0 ? <p className="empty">{text.none}</p> : <FileForm originators={myOriginators} />
        }
      </Loaded>
    </>
  );
}

const known = (kind: FileKind) => ({
  names: (templates[kind].split('\r\n', 1)[0] ?? '').split(';'),
  textOf: fieldText,
  usual,
});

interface Chosen {
  readonly kind: FileKind;
  readonly originatorId: string;
  readonly target: string;
  readonly format: FileFormat;
  readonly mode: 'ALL_OR_NOTHING' | 'ELIGIBLE_ONLY';
  readonly file: File | undefined;
  readonly columns?: CsvColumns | undefined;
}

function FileForm({ originators }: { readonly originators: readonly Originator[] }) {
  const { send: text, words } = originatorTexts.get();
  const batches = useQuery(graph, 'processedBatches', {});
  const action = useAction();
  const [chosen, setChosen] = useState<Chosen>({
    kind: 'assignment',
    originatorId: originators[0]?.id ?? '',
    target: '',
    format: 'CSV',
    mode: 'ALL_OR_NOTHING',
    file: undefined,
  });
  const [sent, setSent] = useState<Progress>();
  const [check, setCheck] = useState<FileCheck>();
  // One draft, however often a person tries to send the same file.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const navigate = useNavigate();
  const change = (more: Partial<Chosen>) => {
    setChosen((before) => ({ ...before, ...more }));
    setCheck(undefined);
    setKey(crypto.randomUUID());
    action.clear();
  };
  const originator = originators.find(({ id }) => id === chosen.originatorId);
  const targets = targetsOf(chosen.kind, originator, batches.data);
  const target = targets.some(({ value }) => value === chosen.target) ? chosen.target : (targets[0]?.value ?? '');
  const transfer = async (end: string, more: Readonly<Record<string, string>>, attempt: string) => {
    const { path, target: name } = filePaths[chosen.kind];
    const mode = chosen.kind === 'assignment' ? { mode: chosen.mode } : {};
    const query = { [name]: target, originatorId: chosen.originatorId, format: chosen.format, ...mode, ...more };
    setSent(undefined);
    const { file = new Blob(), columns } = chosen;
    const named = chosen.format === 'CSV' && columns !== undefined ? renamed(file, columns) : file;
    return upload(`${path}${end}`, query, await packed(named, 'file'), attempt, setSent);
  };
  // Form defined by docs/contract/credit-assignment.md §5.3.
  const checkWith = async (more: Readonly<Record<string, string>> = {}) =>
    (await transfer('/check', more, crypto.randomUUID())) as FileCheck;
  return (
    <>
      <Fields
        {...{ chosen, originators, targets, target, action, change }}
        onCheck={() => {
          void action.run(async () => {
            setCheck(await checkWith());
          });
        }}
      />
      {action.isBusy ? <UploadProgress of={sent} label={words.file} {...text} /> : null}
      {check === undefined ? null : (
        <CheckResult
          check={check}
          maySend={originator?.accountMaySend === true}
          isBusy={action.isBusy}
          onDownload={() => {
            void action.run(async () => {
              const { errorFile = '' } = await checkWith({ errorFile: 'true', language: language.graph });
              saveFile(text.downloadName, errorFile, 'csv');
            });
          }}
          onSend={() => {
            void action.run(async () => {
              const fileName = (chosen.file?.name ?? '').slice(-200);
              const { id } = (await transfer('', { fileName }, key)) as { readonly id: string };
              const to = chosen.kind === 'assignment' ? '/originador/lotes/$id' : '/originador/liquidacoes/$id';
              await navigate({ to, params: { id } });
            });
          }}
        />
      )}
      {check === undefined ? null : <FailureNotice failure={action.failure} shown={new Set(['file'])} />}
      <p className="small muted">
        {text.fileHint}{' '}
        <Button onPress={() => saveFile(`${text.kinds[chosen.kind]}.csv`, templates[chosen.kind], 'csv')}>
          {text.template}
        </Button>
      </p>
    </>
  );
}

/** Targets that a file can be sent for: permitted estates, or processed credit batches. */
function targetsOf(
  kind: FileKind,
  originator: Originator | undefined,
  batches: Operations['processedBatches']['data'] | undefined,
): readonly Option[] {
  if (kind === 'settlement')
    return (batches?.creditBatches.nodes ?? []).map(({ id, number, name }) => ({
      value: id,
      text: `${numbered(number)}: ${name}`,
    }));
  return (originator?.permits ?? []).flatMap(({ patrimony }) =>
    patrimony === null ? [] : [{ value: patrimony.id, text: `${patrimony.ticker} – ${patrimony.name}` }],
  );
}

function Fields(props: {
  readonly chosen: Chosen;
  readonly originators: readonly Originator[];
  readonly targets: readonly Option[];
  readonly target: string;
  readonly action: Action;
  readonly change: (more: Partial<Chosen>) => void;
  readonly onCheck: () => void;
}) {
  const { chosen, originators, targets, target, action, change, onCheck } = props;
  const { send: text, batch, words } = originatorTexts.get();
  const isAssignment = chosen.kind === 'assignment';
  return (
    <Form action={action} fields={['file']} label={text.title} onSubmit={onCheck}>
      <SelectInput
        name="kind"
        label={text.kind}
        value={chosen.kind}
        onChange={(kind) => {
          void action.run(async () => {
            change({
              kind,
              columns: chosen.columns && chosen.file && (await columnsIn(chosen.file, known(kind), 'file')),
            });
          });
        }}
        options={text.kinds}
      />
      {originators.length === 1 ? null : (
        <SelectInput
          name="originatorId"
          label={words.originator}
          value={chosen.originatorId}
          onChange={(originatorId) => change({ originatorId })}
          options={originators.map(({ id, name }) => ({ value: id, text: name }))}
        />
      )}
      <SelectInput
        name="target"
        label={isAssignment ? text.estate : text.creditBatch}
        value={target}
        onChange={(value) => change({ target: value })}
        options={targets.length > 0 ? targets : [{ value: '', text: isAssignment ? text.noEstates : text.noBatches }]}
      />
      <FileInput
        name="file"
        label={words.file}
        accept=".csv,.txt,.rem,.ndjson,.jsonl,text/csv,text/plain,application/x-ndjson"
        onChoose={([file]) => {
          void action.run(async () => {
            const format = file === undefined ? chosen.format : await fromDisk(formatOf(file), 'file');
            const columns = file && format === 'CSV' ? await columnsIn(file, known(chosen.kind), 'file') : undefined;
            change({ file, format, columns });
          });
        }}
      />
      <SelectInput
        name="format"
        label={text.format}
        value={chosen.format}
        onChange={(format) => change({ format })}
        options={text.formats}
      />
      {chosen.format !== 'CSV' || chosen.columns === undefined ? null : (
        <ColumnsTable known={known(chosen.kind)} columns={chosen.columns} onChange={(columns) => change({ columns })} />
      )}
      {isAssignment ? (
        <SelectInput
          name="mode"
          label={batch.mode}
          value={chosen.mode}
          onChange={(mode) => change({ mode })}
          options={batch.modes}
        />
      ) : null}
      <div className="row">
        <Button
          kind="main"
          type="submit"
          isBusy={action.isBusy}
          isDisabled={chosen.file === undefined || target === ''}
        >
          {text.check}
        </Button>
      </div>
    </Form>
  );
}

/** Sends a compressed file to a REST path; `fetch` does not report progress. @param key the same for each attempt of one act @throws {FailureError} */
function upload(
  path: string,
  query: Readonly<Record<string, string>>,
  body: Blob,
  key: string,
  onSent: (sent: Progress) => void,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${path}?${new URLSearchParams(query).toString()}`);
    request.setRequestHeader('Content-Type', 'text/plain; profile=file');
    request.setRequestHeader('Content-Encoding', 'gzip');
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('X-Idempotency-Key', key);
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      onSent({ done: loaded, total });
    });
    request.addEventListener('error', () => {
      noteNoResponse();
      reject(new FailureError(noResponse));
    });
    request.addEventListener('load', () => {
      noteResponse();
      const response = objectIn(request.responseText);
      if (request.status < 300) resolve(response);
      else reject(new FailureError(failureOf({ statusCode: request.status, ...response })));
    });
    request.send(body);
  });
}

/** How many errors are shown; the file with its errors has more. */
const shownErrors = 200;

/** Result of checking a file: whether sending and processing would accept it, and every error with its place. */
function CheckResult(props: {
  readonly check: FileCheck;
  readonly maySend: boolean;
  readonly isBusy: boolean;
  readonly onDownload: () => void;
  readonly onSend: () => void;
}) {
  const { check, maySend, isBusy, onDownload, onSend } = props;
  const { receivables, send: text, settlements, words } = originatorTexts.get();
  return (
    <Section id="result" title={text.result}>
      <Verdict check={check} />
      <Stats
        items={[
          { label: text.lineCount, value: decimal(check.lineCount) },
          ...(check.totalAbated === null
            ? [{ label: text.total, value: money(check.total) }]
            : [
                { label: receivables.received, value: money(check.total) },
                { label: settlements.abated, value: money(check.totalAbated) },
              ]),
          { label: words.errors, value: decimal(check.errorCount) },
        ]}
      />
      <div className="row">
        {check.accepted && maySend ? (
          <Button kind="main" isBusy={isBusy} onPress={onSend}>
            {text.send}
          </Button>
        ) : null}
        {check.errorCount === 0 ? null : (
          <Button isBusy={isBusy} onPress={onDownload}>
            {text.download}
          </Button>
        )}
      </div>
      {check.accepted && !maySend ? <p className="notice">{text.mayNotSend}</p> : null}
      {check.errorCount === 0 ? null : (
        <>
          <Table caption={words.errors} rows={check.errors.slice(0, shownErrors)} columns={errorColumns()} />
          {check.errorCount > shownErrors ? <p className="muted">{text.listed(decimal(shownErrors))}</p> : null}
        </>
      )}
    </Section>
  );
}

function Verdict({ check }: { readonly check: FileCheck }) {
  const { send: text } = originatorTexts.get();
  const { accepted, eligible } = check;
  const refusal = check.refusal === null ? undefined : failureOf(check.refusal);
  // Errors of the file are in the table; those that have no place in it are here.
  const others = (refusal?.details ?? []).filter(({ path }) => !/^line \d/.test(path));
  return (
    <div className={accepted && eligible === true ? 'notice good' : 'notice bad'} role="status">
      <p>{accepted ? text.accepted : text.refused}</p>
      {eligible === null ? null : <p>{eligible ? text.eligible : text.notEligible}</p>}
      <Rejection {...check} />
      {refusal === undefined || refusal.details.length > others.length ? null : (
        <p>
          <Said text={failureText(refusal)} />
        </p>
      )}
      {others.map((detail) => (
        <p key={`${detail.path} ${detail.message}`}>
          <code>{detail.path}</code> <Said text={detailText(detail)} />
        </p>
      ))}
    </div>
  );
}

function errorColumns(): readonly Column<FileCheckError>[] {
  const { send: text, words } = originatorTexts.get();
  return [
    { label: words.line, kind: 'number', cell: ({ line }) => decimal(line) },
    {
      label: words.field,
      kind: 'nowrap',
      cell: ({ field, fromColumn, toColumn }) =>
        noted(
          field === null ? text.whole : fieldText(field),
          fromColumn === null ? null : (
            <>
              {text.column} {fromColumn}–{toColumn}
            </>
          ),
        ),
    },
    { label: words.value, kind: 'nowrap', cell: ({ value }) => (value === null ? '—' : <code>{value}</code>) },
    { label: words.rule, kind: 'wide', cell: (error) => <Rule {...error} /> },
  ];
}
