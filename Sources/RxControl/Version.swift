/// The version of the daemon and its tools, equal to that of deploy/debian/changelog.
package let version = "0.1.0"
