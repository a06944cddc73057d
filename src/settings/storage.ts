// The settings of uploads and of how long what was sent is kept.
import { option } from './setting'
import { httpAddress, integer, ok, type Parsed, room, text, withoutEndSlashes, wrong } from './values'

const bucketName = (text: string): Parsed<string> =>
  /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text) ? ok(text) : wrong()
const regionName = (text: string): Parsed<string> => (/^[\w-]{1,64}$/.test(text) ? ok(text) : wrong())
const publicAddress = (given: string): Parsed<string> => {
  const parsed = httpAddress(given)
  return 'value' in parsed ? ok(withoutEndSlashes(parsed.value)) : parsed
}
/** Slashes at its ends are taken away. */
const prefix = (given: string): Parsed<string> => {
  const trimmed = withoutEndSlashes(given).replace(/^\/+/, '')
  return /^[\w.-]+(\/[\w.-]+)*$/.test(trimmed) && trimmed.length <= 200 && !/(^|\/)\.\.?(\/|$)/.test(trimmed)
    ? ok(trimmed)
    : wrong()
}

export const s3Options = {
  S3_BUCKET: option(
    'S3_BUCKET',
    'unset: uploads live in DATA_DIR/uploads',
    'the name of a bucket',
    bucketName,
    'Bucket for uploaded images',
  ),
  S3_ENDPOINT: option(
    'S3_ENDPOINT',
    "Amazon's, by region",
    'an http:// or https:// address',
    httpAddress,
    'Server of the bucket',
  ),
  S3_REGION: option('S3_REGION', "the server's own", 'a name', regionName, 'Region of the bucket'),
  S3_ACCESS_KEY_ID: option('S3_ACCESS_KEY_ID', '', 'a text', text, 'Access key of the bucket'),
  S3_SECRET_ACCESS_KEY: option('S3_SECRET_ACCESS_KEY', '', 'a text', text, 'Secret of that access key', true),
  S3_PUBLIC_URL: option(
    'S3_PUBLIC_URL',
    'unset: served at BASE_URL/uploads',
    'an http:// or https:// address',
    publicAddress,
    'Address under which everybody may read the bucket',
  ),
  S3_PREFIX: option(
    'S3_PREFIX',
    '',
    'names with slashes between them',
    prefix,
    'Stands before every key in the bucket',
  ),
}

export const uploadOptions = {
  MAX_UPLOAD_BYTES_PER_PROJECT: option(
    'MAX_UPLOAD_BYTES_PER_PROJECT',
    '10GB',
    'a size up to 1048576GB, such as 500MB; 0 for no limit',
    room,
    'All images of a project together; 0 for no limit',
  ),
}

export const retentionOptions = {
  EMAIL_BODY_RETENTION_DAYS: option(
    'EMAIL_BODY_RETENTION_DAYS',
    '90',
    'a whole number from 0 to 36500',
    integer(0, 36_500),
    'Days after which sent bodies and attachments are emptied; 0 keeps them',
  ),
}
