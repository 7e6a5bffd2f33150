import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { noted, Section, Stats, Table, type Column } from '../../design/basics.js';
import { Button, SelectInput, TextInput } from '../../design/controls/controls.js';
import { ColumnsTable, columnsIn, guess, reduced, type CsvColumns, type KnownColumns } from '../frame/csv-columns.js';
import { detailText } from '../frame/failure.js';
import { decimal } from '../frame/language.js';
import { FileInput, packed, UploadProgress, type Progress } from '../frame/file-input.js';
import { FailureNotice, Form, PageHead, Said } from '../frame/parts.js';
import { useAction, type Action } from '../frame/use-graph.js';
import { columnWords, csvHeads } from './messages/csv-columns.js';
import { graph, type Operations } from './graph/operations.js';
import { ChangesTable, Field, fieldText, ImportCounts } from './imports.js';
import { operatorTexts } from '../texts.js';

export function ImportFiles() {
  const { imports: text } = operatorTexts.get();
  const prepared = useImport();
  const { action, uploaded, tooLarge, check, importNow } = prepared;
  return (
    <>
      <PageHead
        title={text.upload}
        lead={
          <>
            {text.uploadLead} <Link to="/operacao/importacoes">{text.back}</Link>
          </>
        }
      />
      <Fields prepared={prepared} />
      {tooLarge === undefined ? null : (
        <p className="notice bad" role="alert">
          {text.tooLarge(tooLarge)}
        </p>
      )}
      {action.isBusy && check === undefined ? <UploadProgress of={uploaded} label={text.files} {...text} /> : null}
      {check === undefined ? null : (
        <>
          <ImportCheckResult check={check} isBusy={action.isBusy} onImport={importNow} />
          <FailureNotice failure={action.failure} />
        </>
      )}
    </>
  );
}

function Fields({ prepared }: { readonly prepared: PreparedImport }) {
  const { imports: text, recordKinds, words } = operatorTexts.get();
  const { action, files, reason, chooseFiles, mapFile, giveReason, checkNow } = prepared;
  return (
    <Form action={action} fields={['files', 'reason']} label={text.upload} onSubmit={checkNow}>
      <FileInput
        name="files"
        label={text.files}
        hint={text.filesHint}
        accept=".csv,.json,text/csv,application/json"
        multiple
        onChoose={chooseFiles}
      />
      {files.map(({ file, mapping }, at) =>
        mapping === undefined ? null : (
          <div key={file.name} className="stack">
            <SelectInput
              name={`kind${at}`}
              label={`${words.kind}: ${file.name}`}
              value={mapping.kind}
              onChange={(kind) => mapFile(at, kind)}
              options={csvKinds.map((value) => ({ value, text: recordKinds[value] }))}
            />
            <ColumnsTable
              known={knownColumns(mapping.kind)}
              columns={mapping.columns}
              onChange={(columns) => mapFile(at, mapping.kind, columns)}
            />
          </div>
        ),
      )}
      <TextInput
        name="reason"
        label={text.correctReason}
        hint={text.correctHint}
        value={reason}
        onChange={giveReason}
        maxLength={500}
      />
      <div className="row">
        <Button kind="main" type="submit" isBusy={action.isBusy} isDisabled={files.length === 0}>
          {text.check}
        </Button>
      </div>
    </Form>
  );
}

interface ChosenFile {
  readonly file: File;
  /** Kind and columns of a CSV file whose header is not ours. */
  readonly mapping: { readonly kind: CsvKind; readonly columns: CsvColumns } | undefined;
}

interface PreparedImport {
  readonly action: Action;
  readonly files: readonly ChosenFile[];
  readonly reason: string;
  readonly uploaded: Progress | undefined;
  readonly tooLarge: string | undefined;
  readonly check: ImportCheck | undefined;
  readonly chooseFiles: (files: readonly File[]) => void;
  readonly mapFile: (at: number, kind: CsvKind, columns?: CsvColumns) => void;
  readonly giveReason: (reason: string) => void;
  readonly checkNow: () => void;
  readonly importNow: () => void;
}

function useImport(): PreparedImport {
  const action = useAction();
  const navigate = useNavigate();
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const [reason, setReason] = useState('');
  const [stored, setStored] = useState<readonly UploadedFile[]>([]);
  const [uploaded, setUploaded] = useState<Progress>();
  const [tooLarge, setTooLarge] = useState<string>();
  const [check, setCheck] = useState<ImportCheck>();
  // One import, however often a person tries the same one.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const reset = () => {
    setCheck(undefined);
    setUploaded(undefined);
    setKey(crypto.randomUUID());
    action.clear();
  };
  const given = reason.trim() === '' ? null : reason.trim();
  const checked = async () => {
    setCheck(undefined);
    setUploaded(undefined);
    // Anew each time: a file on disk may have changed since, and pieces are kept for two hours.
    const found = await uploadFiles(files, setUploaded);
    if (typeof found === 'string') {
      setTooLarge(found);
      return;
    }
    setStored(found);
    const checkFor = async (why: string | null) =>
      (await graph.mutate('checkImport', { files: [...found], reason: why })).checkImport;
    const made = await checkFor(given);
    // The check runs without the reason too: its errors, such as the change of a price in percent, are still shown.
    const bare = given !== null && made?.accepted === true ? await checkFor(null) : made;
    if (made === null || bare === null) return;
    const { needsReason, errorCount, errors } = bare;
    setCheck({ ...made, needsReason, errorCount, errors });
  };
  const imported = async () => {
    const { importFiles } = await graph.mutate('importFiles', { files: [...stored], reason: given }, key);
    if (importFiles !== null) await navigate({ to: '/operacao/importacoes/$id', params: { id: importFiles.id } });
  };
  return {
    ...{ action, files, reason, uploaded, tooLarge, check },
    chooseFiles: (chosen) => {
      setFiles([]);
      setTooLarge(undefined);
      reset();
      void action.run(async () => {
        setFiles(await Promise.all(chosen.map(withMapping)));
      });
    },
    mapFile: (at, kind, columns) => {
      setFiles((before) =>
        before.map(({ file, mapping }, place) => {
          if (place !== at || mapping === undefined) return { file, mapping };
          const { names } = mapping.columns;
          const guessed = { ...mapping.columns, chosen: guess(names, knownColumns(kind)) };
          return { file, mapping: { kind, columns: columns ?? guessed } };
        }),
      );
      reset();
    },
    giveReason: (typed) => {
      setReason(typed);
      reset();
    },
    checkNow: () => void action.run(checked),
    importNow: () => void action.run(imported),
  };
}

type CsvKind = keyof typeof csvHeads;
const csvKinds = Object.keys(csvHeads) as readonly CsvKind[];

const knownColumns = (kind: CsvKind): KnownColumns => ({
  names: csvHeads[kind].split(';'),
  textOf: fieldText,
  usual: columnWords,
});

/** Returns the kind whose columns a header has. */
function kindOf(header: readonly string[]): CsvKind {
  const scored = csvKinds.map((kind) => {
    const known = knownColumns(kind);
    const found = guess(header, known).filter((name) => name !== '').length;
    return { kind, found, missing: known.names.length - found };
  });
  const [best] = scored.toSorted((one, other) => other.found - one.found || one.missing - other.missing);
  return best?.kind ?? 'unitPrices';
}

/** Whether the server reads a header as it is. */
const isOurs = (header: readonly string[]) =>
  csvKinds.some((kind) => {
    const ours = csvHeads[kind].toLowerCase().split(';');
    return header.every((name) => ours.includes(name.toLowerCase()));
  });

async function withMapping(file: File): Promise<ChosenFile> {
  const isCsv = file.name.toLowerCase().endsWith('.csv');
  // Its kind is found by its names.
  const read = isCsv ? await columnsIn(file, knownColumns('unitPrices'), 'files') : undefined;
  if (read === undefined || isOurs(read.names)) return { file, mapping: undefined };
  const kind = kindOf(read.names);
  return { file, mapping: { kind, columns: { ...read, chosen: guess(read.names, knownColumns(kind)) } } };
}

type ImportCheck = NonNullable<Operations['checkImport']['data']['checkImport']>;

const focus = (element: HTMLElement | null) => element?.focus();

function ImportCheckResult(props: {
  readonly check: ImportCheck;
  readonly isBusy: boolean;
  readonly onImport: () => void;
}) {
  const { check, isBusy, onImport } = props;
  const { imports: text, words } = operatorTexts.get();
  const { accepted, needsReason, errorCount, errors, counts, changeCount, changes } = check;
  return (
    <Section id="check" title={text.result}>
      <div
        className={accepted ? 'notice good' : 'notice bad'}
        role="status"
        tabIndex={-1}
        ref={accepted ? undefined : focus}
      >
        <p>{accepted ? (changeCount === 0 ? text.nothingNew : text.accepted) : text.refused}</p>
        {needsReason ? <p>{text.needsReason}</p> : null}
      </div>
      <Stats
        items={[
          { label: words.errors, value: decimal(errorCount) },
          { label: text.records, value: decimal(changeCount) },
        ]}
      />
      {accepted && changeCount > 0 ? (
        <div className="row">
          <Button kind="main" isBusy={isBusy} onPress={onImport}>
            {text.importNow}
          </Button>
        </div>
      ) : null}
      <Table caption={text.errors} rows={errors} columns={errorColumns()} />
      {errorCount > errors.length ? (
        <p className="muted">{text.firstOf(decimal(errors.length), decimal(errorCount))}</p>
      ) : null}
      {accepted ? (
        <>
          <h3>{text.counts}</h3>
          <ImportCounts counts={counts} />
          <h3>{text.changes}</h3>
          <ChangesTable records={changes} />
          {changeCount > changes.length ? (
            <p className="muted">{text.firstOf(decimal(changes.length), decimal(changeCount))}</p>
          ) : null}
        </>
      ) : null}
    </Section>
  );
}

function errorColumns(): readonly Column<ImportCheck['errors'][number]>[] {
  const { imports: text, words } = operatorTexts.get();
  return [
    { label: words.file, kind: 'nowrap', cell: ({ file }) => file },
    { label: words.line, kind: 'number', cell: ({ line }) => (line === 0 ? '—' : decimal(line)) },
    {
      label: words.field,
      kind: 'nowrap',
      cell: ({ field, column }) =>
        field === null
          ? '—'
          : noted(
              <Field path={field} />,
              column === null ? null : (
                <>
                  {text.column} {decimal(column)}
                </>
              ),
            ),
    },
    { label: words.value, kind: 'nowrap', cell: ({ value }) => (value === null ? '—' : <code>{value}</code>) },
    {
      label: words.rule,
      kind: 'wide',
      cell: (error) => noted(<Said text={detailText({ path: '', ...error })} />, <code>{error.rule}</code>),
    },
  ];
}

interface UploadedFile {
  readonly id: string;
  readonly name: string;
  readonly pieces: number;
}

/** Limits stated in the description of `addImportFilePiece`. */
const pieceBytes = 61_440;
const mostPieces = 256;

/** Uploads files in compressed pieces, and returns them as an import names them; the name of a file that is too large instead. @throws {FailureError} */
async function uploadFiles(
  files: readonly ChosenFile[],
  onUploaded: (uploaded: Progress) => void,
): Promise<readonly UploadedFile[] | string> {
  const cut = await Promise.all(
    files.map(async ({ file, mapping }) => ({
      id: crypto.randomUUID(),
      name: file.name,
      pieces: piecesOf(
        // Where nothing was chosen the server says what a header may be.
        await packed(mapping?.columns.chosen.join('') ? await reduced(file, mapping.columns, 'files') : file, 'files'),
      ),
    })),
  );
  const large = cut.find(({ pieces }) => pieces.length > mostPieces);
  if (large !== undefined) return large.name;
  const total = cut.reduce((sum, { pieces }) => sum + pieces.length, 0);
  let done = 0;
  onUploaded({ done, total });
  for (const { id, pieces } of cut)
    for (const [position, piece] of pieces.entries()) {
      await graph.mutate('addImportFilePiece', { file: id, position, piece: await base64(piece) });
      onUploaded({ done: ++done, total });
    }
  return cut.map(({ id, name, pieces }) => ({ id, name, pieces: pieces.length }));
}

function piecesOf(whole: Blob): Blob[] {
  return Array.from({ length: Math.ceil(whole.size / pieceBytes) }, (_, at) =>
    whole.slice(at * pieceBytes, (at + 1) * pieceBytes),
  );
}

async function base64(piece: Blob): Promise<string> {
  const bytes = new Uint8Array(await piece.arrayBuffer());
  return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''));
}
