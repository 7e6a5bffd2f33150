import type { Locale } from './locale.js';

/** Size of the frame in which a chart is shown whole, in pixels of CSS. */
const [width, height] = [600, 420];

/** The markup with which another site shows a chart, to be copied. */
export function EmbedCode({
  locale,
  title,
  src,
}: {
  readonly locale: Locale;
  readonly title: string;
  readonly src: string;
}) {
  const { price: text } = locale.text;
  const code = `<iframe src="${attribute(src)}" width="${width}" height="${height}" title="${attribute(title)}" loading="lazy"></iframe>`;
  return (
    <details>
      <summary>{text.embed}</summary>
      <p className="small">
        {text.embedHint} <a href={src}>{text.embedAlone}</a>
      </p>
      <pre className="code">{code}</pre>
    </details>
  );
}

const attribute = (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
