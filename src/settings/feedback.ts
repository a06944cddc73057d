// The settings of what comes back about sent mail: notifications of Amazon SNS, and the receivers for everybody else.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { option } from './setting'
import { ok, type Parsed, wrong } from './values'

const topicPattern = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]+(\.fifo)?$/
/** A name has at most 256 characters. */
const maxTopicLength = 320

function topics(text: string): Parsed<string[]> {
  const list = text.split(',').map(part => part.trim())
  const wrongOne = list.find(topic => topic.length > maxTopicLength || !topicPattern.test(topic))
  return wrongOne === undefined ? ok(list) : wrong(`${wrongOne.slice(0, 100) || 'an empty entry'} is none`)
}

/** The PEM text of the certificate in a file, read at the start so that a wrong file is a fault of the configuration. */
function certificateFile(path: string): Parsed<string> {
  try {
    const pem = readFileSync(path, 'utf8')
    return new X509Certificate(pem).publicKey.asymmetricKeyType === 'rsa'
      ? ok(pem)
      : wrong('its key is not RSA')
  } catch (error) {
    const isMissing = (error as { code?: string }).code === 'ENOENT'
    return wrong(isMissing ? 'there is no such file' : 'it holds no readable certificate')
  }
}

function signingSecret(text: string): Parsed<string> {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) return wrong()
  const { length } = Buffer.from(text.slice('whsec_'.length), 'base64')
  return length >= 24 && length <= 64 ? ok(text) : wrong(`it holds ${length} bytes`)
}

export const feedbackOptions = {
  SNS_TOPIC_ARN: option(
    'SNS_TOPIC_ARN',
    '',
    'comma-separated ARNs of SNS topics (arn:aws:sns:region:account:name)',
    topics,
    'Accept notifications of these SNS topics only',
  ),
  SNS_SIGNING_CERT_FILE: option(
    'SNS_SIGNING_CERT_FILE',
    'fetched from the signing host, and cached',
    'a file with an RSA certificate in PEM',
    certificateFile,
    'Pinned certificate for signatures of SNS, for closed networks',
  ),
  FEEDBACK_WEBHOOK_SECRET: option(
    'FEEDBACK_WEBHOOK_SECRET',
    '',
    'whsec_ and 24 to 64 bytes in Base64 (echo whsec_$(openssl rand -base64 32))',
    signingSecret,
    'Signs what is sent to /webhooks/bounce and /webhooks/dsn, which are off without it',
    true,
  ),
} as const
