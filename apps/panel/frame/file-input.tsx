import { useContext, useId, useState } from 'react';
import { FormErrors } from '../../design/controls/controls.js';
import { FailureError } from './failure.js';
import { decimal } from './language.js';
import { frameTexts } from './texts.js';

/** A zone that takes files by a click, a key or a drop: the browser's own field covers it unseen, since its texts are in the browser's language. */
export function FileInput(props: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly accept: string;
  readonly multiple?: boolean;
  readonly onChoose: (files: readonly File[]) => void;
}) {
  const { label, hint, onChoose, ...input } = props;
  const { file: text } = frameTexts.get();
  const {
    errors: { [input.name]: errors = [] },
  } = useContext(FormErrors);
  const id = useId();
  const [chosen, setChosen] = useState<readonly File[]>([]);
  const choose = (files: readonly File[]) => {
    setChosen(files);
    onChoose(files);
  };
  const said = chosen.length === 0 ? text.drop : chosen.map(({ name }) => name).join(', ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <span className="drop">
        <input
          id={id}
          type="file"
          {...input}
          title={said}
          aria-describedby={`${id}-about`}
          aria-invalid={errors.length > 0 || undefined}
          onClick={({ currentTarget }) => {
            // Browsers do not report that the same file was chosen again, which may have other content by now.
            currentTarget.value = '';
            choose([]);
          }}
          onChange={({ currentTarget }) => choose([...(currentTarget.files ?? [])])}
        />
        <span className="button" aria-hidden="true">
          {input.multiple === true ? text.chooseSome : text.choose}
        </span>
        <span aria-hidden="true">{said}</span>
      </span>
      <span id={`${id}-about`}>
        {chosen.length === 0 ? null : <span className="visually-hidden">{said}. </span>}
        {hint === undefined ? null : <span className="small muted">{hint} </span>}
        {errors.length === 0 ? null : <span slot="errorMessage">{errors.join(' ')}</span>}
      </span>
    </div>
  );
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** How much of a file has been sent; then that the server works on it. */
export function UploadProgress(props: {
  readonly of: Progress | undefined;
  readonly label: string;
  readonly uploading: (done: string, total: string) => string;
  readonly checking: string;
}) {
  const { of, label, uploading, checking } = props;
  if (of === undefined) return null;
  const { done, total } = of;
  return (
    <p role="status">
      {done < total ? uploading(decimal(done), decimal(total)) : checking}{' '}
      {done < total ? <progress value={done} max={total} aria-label={label} /> : null}
    </p>
  );
}

/** Returns a file of a field, compressed as it is sent. @throws {FailureError} */
export function packed(file: Blob, field: string): Promise<Blob> {
  return fromDisk(new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob(), field);
}

/** Waits for what is read of a chosen file. @throws {FailureError} at its field, where it has changed on disk since: then browsers do not read it */
export function fromDisk<T>(reading: Promise<T>, field: string): Promise<T> {
  return reading.catch(() => {
    const said = frameTexts.get().fileChanged;
    throw new FailureError({ code: 'BAD_REQUEST', message: '', details: [{ path: field, message: '', said }] });
  });
}
