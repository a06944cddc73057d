// Blocks of the pages that can't be run in a test, each with the reason, and what is no command at all.

export interface NotRun {
  page: string
  /** How the block begins. */
  begins: string
  because: string
}

export const notRun: readonly NotRun[] = [
  {
    page: 'README.md',
    begins: 'npx --yes bun@1.4.5 run start',
    because: 'downloads Bun; test/binary starts the program',
  },
  { page: 'README.md', begins: 'npx --yes bun@1.4.5 run test', because: 'would run this test in itself' },
  { page: 'docs/benchmarks.md', begins: 'LISTMONK=', because: 'measures for a quarter of an hour' },
  { page: 'docs/reliability.md', begins: 'bun run chaos', because: 'breaks things for minutes' },
  {
    page: 'docs/events.md',
    begins: '{\n  "type": "email.failed"',
    because: 'the body of a call; test/http/email-failed.test.ts receives such',
  },
  {
    page: 'docs/self-hosting.md',
    begins: '[Service]',
    because: 'settings of systemd; test/unit/deploy.test.ts looks at the unit itself',
  },
  {
    page: 'docs/self-hosting.md',
    begins: 'install -o waxwing',
    because: 'runs in a hook of certbot, with a certificate that it got',
  },
  {
    page: 'docs/backup.md',
    begins: 'waxwing backup',
    because: 'paths of a server; test/binary/backup.test.ts runs both commands',
  },
  {
    page: 'docs/backup.md',
    begins: 'waxwing resume',
    because: 'needs a copied instance; test/binary/backup.test.ts makes one',
  },

  {
    page: 'docs/feedback.md',
    begins: 'POST /webhooks/bounce',
    because: 'has to be signed; test/http/feedback-receivers.test.ts sends it',
  },
  {
    page: 'docs/transports.md',
    begins: '[\n  { "name": "bulk"',
    because: 'a list of transports; test/unit/transports/ways.test.ts reads it',
  },
  {
    page: 'docs/submission.md',
    begins: "import nodemailer from 'nodemailer'",
    because: 'needs an instance with SMTP_LISTEN; test/smtp/default-clients.test.ts has one',
  },
  {
    page: 'docs/submission.md',
    begins: 'import os, smtplib',
    because: 'needs an instance with SMTP_LISTEN; test/smtp/default-clients.test.ts has one',
  },
  {
    page: 'docs/submission.md',
    begins: '$mail = new PHPMailer\\PHPMailer',
    because: 'needs an instance with SMTP_LISTEN; test/smtp/default-clients.test.ts has one',
  },
  {
    page: 'docs/submission.md',
    begins: 'package main',
    because: 'needs an instance with SMTP_LISTEN; test/smtp/default-clients.test.ts has one',
  },
  {
    page: 'docs/submission.md',
    begins: 'swaks --server',
    because: 'needs an instance with SMTP_LISTEN; test/smtp/submission.test.ts runs swaks against one',
  },
  {
    page: 'docs/submission.md',
    begins: 'account default',
    because: 'settings of msmtp; test/smtp/php.test.ts runs it with them',
  },
  {
    page: 'docs/submission.md',
    begins: 'sendmail_path',
    because: 'settings of PHP; test/smtp/php.test.ts runs it with them',
  },
  {
    page: 'docs/submission.md',
    begins: 'use PHPMailer',
    because: 'needs PHP and an instance with SMTP_LISTEN; test/smtp/php.test.ts has both',
  },
  {
    page: 'docs/submission.md',
    begins: '<?php\nadd_action',
    because: 'needs WordPress; test/smtp/php.test.ts loads it in its mailer',
  },
  { page: 'docs/feedback.md', begins: 'sender_canonical_classes', because: 'settings of Postfix' },
  { page: 'docs/feedback.md', begins: 'bounces: "|', because: 'an alias of Postfix' },
  {
    page: 'docs/feedback.md',
    begins: '#!/bin/sh',
    because: 'test/http/feedback-script.test.ts runs it with a report',
  },
  {
    page: 'docs/import.md',
    begins: 'waxwing import listmonk postgres',
    because: 'test/flows/import.test.ts has such a database',
  },
  { page: 'docs/import.md', begins: 'location ~ ^/(subscription', because: 'settings of nginx' },
  { page: 'docs/import.md', begins: 'lists.example.com {', because: 'settings of Caddy' },
  {
    page: 'docs/import.md',
    begins: 'No column says',
    because: 'a report; test/flows/import.test.ts compares its lines',
  },
  {
    page: 'docs/mcp.md',
    begins: 'claude mcp add',
    because: 'needs Claude Code; test/http/mcp.test.ts connects with the client of the SDK',
  },
  {
    page: 'docs/mcp.md',
    begins: '{"mcpServers"',
    because: 'settings of Cursor',
  },
  {
    page: 'docs/mcp.md',
    begins: '{\n  "inputs"',
    because: 'settings of VS Code',
  },
  { page: 'docs/self-hosting.md', begins: 'install -m 0755', because: 'needs root and systemd' },
  { page: 'docs/self-hosting.md', begins: 'wx() {', because: 'needs root and systemd' },
  { page: 'docs/self-hosting.md', begins: 'docker compose', because: 'needs Docker' },
]

/** The names in a block of lines `NAME=value`; undefined for any other block. */
export function settingsBlock(text: string): string[] | undefined {
  const words = text.trim().split(/\s+(?=[A-Z_]+\d?_?[A-Z_]*=)/)
  const names = words.map(word => /^([A-Z][A-Z0-9_]*)=/.exec(word)?.[1])
  return names.every(name => name !== undefined) ? names : undefined
}
