// What the reference says of something: plain words, with what is typed in code between backticks.

export function Words({ text }: { text: string }) {
  return text.split('`').map((part, nth) =>
    nth % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move.
      <code key={nth} className="font-mono text-[0.8125rem]">
        {part}
      </code>
    ),
  )
}
