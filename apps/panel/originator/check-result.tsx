import { Section, Stats } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Table, type Column } from '../../design/table.js';
import { detailText, failureOf, failureText } from '../frame/failure.js';
import { decimal, language, money } from '../frame/language.js';
import { FailureNotice, Said } from '../frame/parts.js';
import { saveFile } from '../frame/save-file.js';
import { useAction } from '../frame/use-graph.js';
import { Rejection, Rule } from './batch-parts.js';
import type { FileCheck, FileCheckError } from './file-kind.js';
import { originatorTexts } from './texts.js';

/** How many errors are shown; the file with its errors has more. */
const shownErrors = 200;

/** What would become of a file: the answer of sending it, that of processing, and every error by its place. */
export function CheckResult(props: {
  readonly check: FileCheck;
  readonly maySend: boolean;
  readonly isBusy: boolean;
  readonly readErrorFile: (language: 'PT_BR' | 'EN') => Promise<FileCheck>;
  readonly onSend: () => void;
}) {
  const { check, maySend, isBusy, readErrorFile, onSend } = props;
  const { send: text } = originatorTexts.get();
  const action = useAction();
  return (
    <Section id="result" title={text.result}>
      <Verdict check={check} />
      <Stats
        items={[
          { label: text.lineCount, value: decimal(check.lineCount) },
          { label: text.total, value: money(check.total) },
          { label: text.errorCount, value: decimal(check.errorCount) },
        ]}
      />
      <div className="row">
        {check.accepted && maySend ? (
          <Button kind="main" isBusy={isBusy} onPress={onSend}>
            {text.send}
          </Button>
        ) : null}
        {check.errorCount === 0 ? null : (
          <Button
            isBusy={action.isBusy}
            onPress={() => {
              void action.run(async () => {
                const { errorFile = '' } = await readErrorFile(language.graph);
                saveFile(text.downloadName, errorFile, 'csv');
              });
            }}
          >
            {text.download}
          </Button>
        )}
      </div>
      <FailureNotice failure={action.failure} />
      {check.accepted && !maySend ? <p className="notice">{text.mayNotSend}</p> : null}
      {check.errorCount === 0 ? null : (
        <>
          <Table
            caption={text.errors}
            rows={check.errors.slice(0, shownErrors).map((error, at) => ({ ...error, at }))}
            keyOf={({ at }) => String(at)}
            empty=""
            columns={errorColumns()}
          />
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
  const { send: text } = originatorTexts.get();
  return [
    { label: text.line, kind: 'number', cell: ({ line }) => decimal(line) },
    {
      label: text.field,
      kind: 'nowrap',
      cell: ({ field, fromColumn, toColumn }) => (
        <>
          {field === null ? text.whole : <code>{field}</code>}
          {fromColumn === null ? null : (
            <span className="sub">
              {text.column} {fromColumn}–{toColumn}
            </span>
          )}
        </>
      ),
    },
    { label: text.value, kind: 'nowrap', cell: ({ value }) => (value === null ? '—' : <code>{value}</code>) },
    { label: text.rule, kind: 'wide', cell: (error) => <Rule {...error} /> },
  ];
}
