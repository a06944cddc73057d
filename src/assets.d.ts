// Files that the bundler carries: as text, or as the path of a copy.
declare module '*.sql' {
  const text: string
  export default text
}

/** Made by scripts/ensure-assets.ts; types are checked without it. */
declare module '*.tar.zst' {
  const path: string
  export default path
}

/** Made by scripts/ensure-assets.ts from src/dashboard/. */
declare module '*.pack' {
  const path: string
  export default path
}

/** Guides, read as files when somebody asks. */
declare module '*.md' {
  const path: string
  export default path
}
