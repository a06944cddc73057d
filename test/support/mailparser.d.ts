// What the tests use of it.
declare module 'mailparser' {
  interface Mailboxes {
    value: Array<{ name: string; address?: string }>
  }
  export function simpleParser(
    raw: Buffer,
    options?: Record<string, boolean>,
  ): Promise<{
    subject?: string
    from?: Mailboxes
    to?: Mailboxes | Mailboxes[]
    attachments: Array<{ filename?: string | false; content: Buffer }>
  }>
}
