# shellcheck shell=bash
# Which Debian or Ubuntu runs here, and from which mirror. Sourced by fetch.sh and
# bench/distributions.sh.

# What this system calls itself: release_of ID, release_of VERSION_CODENAME, …
release_of() { sed -n "s/^$1=//p" /etc/os-release | tr -d '"'; }

# The release that runs here, or that this one is made of (Mint and others).
if [[ " $(release_of ID) $(release_of ID_LIKE) " == *" ubuntu "* ]]; then
  family=ubuntu
  running=$(release_of UBUNTU_CODENAME)
else
  family=debian
  running=$(release_of DEBIAN_CODENAME)
fi
running=${running:-$(release_of VERSION_CODENAME)}

# The mirror of the running release as the fields URIs and Signed-By of an apt source. Both of apt's
# formats are read: paragraphs of fields (*.sources), and one line each (*.list).
own_mirror() {
  local suite=" ($running|oldstable|stable|testing|unstable|sid|devel) "
  { cat /etc/apt/sources.list.d/*.sources 2>/dev/null || true; } | awk -v suite="$suite" '
    function use() {
      if ((" " field["types"] " ") ~ / deb / && tolower(field["enabled"]) !~ /no/ &&
          (" " field["suites"] " ") ~ suite &&
          (" " field["components"] " ") ~ / main / && !done) {
        split(field["uris"], uri, " ")
        print "URIs: " uri[1]
        if (field["signed-by"] != "") print "Signed-By: " field["signed-by"]
        done = 1
      }
      split("", field)
    }
    /^#/ { next }
    /^[ \t]*$/ { use(); next }
    /^[ \t]/ { field[name] = field[name] "\n" $0; next }
    { name = tolower($0); sub(/:.*/, "", name); sub(/^[^:]*:[ \t]*/, ""); field[name] = $0 }
    END { use() }' | grep . && return
  { cat /etc/apt/sources.list{,.d/*.list} 2>/dev/null || true; } | awk -v suite="$suite" '
    $1 != "deb" { next }
    {
      key = ""
      if (match($0, /\[[^]]*\]/)) {
        options = substr($0, RSTART, RLENGTH)
        sub(/\[[^]]*\]/, "")
        if (match(options, /signed-by=[^] ]*/)) key = substr(options, RSTART + 10, RLENGTH - 10)
      }
    }
    (" " $3 " ") ~ suite && / main/ && !done {
      print "URIs: " $2
      if (key != "") print "Signed-By: " key
      done = 1
    }' | grep .
}
