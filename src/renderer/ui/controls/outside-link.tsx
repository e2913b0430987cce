/** The address of a page outside, as a link that opens it there; what is no address of the web stays text. */
export function OutsideLink({ href }: { href: string }) {
  if (!/^https?:/.test(href)) return <span className="break-all">{href}</span>;
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="break-all underline decoration-line-strong underline-offset-2 hover:decoration-accent"
    >
      {href.replace(/^https?:\/\//, "")}
    </a>
  );
}
