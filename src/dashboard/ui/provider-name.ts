// Mailbox providers as people call them; a domain stands for itself.
const names: Readonly<Record<string, string>> = {
  gmail: 'Gmail',
  outlook: 'Outlook, Microsoft 365',
  yahoo: 'Yahoo',
}

export function providerName(name: string): string {
  return names[name] ?? name
}
